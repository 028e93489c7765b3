import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, SLOW, say } from '../testing/chat-terminal.ts'
import type { Terminal } from '../testing/terminal.ts'

const count = (terminal: Terminal, pattern: RegExp) => terminal.screen().filter((row) => pattern.test(row)).length

describe('a window of another size', () => {
  test('a screen that gets narrower than the line it shows keeps nothing of the old frame', async () => {
    const { open } = project()
    const terminal = await open([], { columns: 60 })
    terminal.resize(30, 24)
    await terminal.type('x')
    await terminal.waitFor((screen) => inEditor(screen) === 'x')
    expect(terminal.screen().join('\n')).not.toContain('Ask something')
  })

  test('at any size there is one editor, one status line, and the transcript in its width', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'Hi')
    for (const [columns, rows] of [
      [50, 24],
      [20, 24],
      [80, 12],
      [120, 40],
      [40, 10],
      [100, 30],
      [20, 15],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows)
      await terminal.type('x')
      await terminal.waitFor((screen) => inEditor(screen) === 'x')
      await terminal.press('ctrl+u')
      await terminal.waitFor((screen) => /^[❯>] Ask some/m.test(screen.join('\n')))
      expect(count(terminal, /^[❯>] Ask some/), `${columns}×${rows}`).toBe(1)
      expect(count(terminal, /^demo\/demo/), `${columns}×${rows}`).toBe(1)
    }
  })

  test('a drag through many sizes prints the transcript once', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'Hi')
    const before = terminal.output.length
    for (let columns = 79; columns >= 50; columns--) terminal.resize(columns, 24)
    await terminal.waitFor(() => terminal.output.length > before)
    await terminal.type('x')
    await terminal.waitFor((screen) => inEditor(screen) === 'x')
    expect(terminal.output.slice(before).split('You said:')).toHaveLength(2)
  })

  test('what was on the screen before is in the scrollback, and nothing of it is lost', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'Hi')
    terminal.resize(50, 24)
    await terminal.type('x')
    await terminal.waitFor((screen) => inEditor(screen) === 'x')
    expect(all(terminal).split('Treeline keeps this conversation').length).toBeGreaterThanOrEqual(3)
  })

  test('with the tree open it stays open, once', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'First question')
    await say(terminal, '/tree')
    await terminal.waitFor((screen) => !screen.some((row) => /Ask something/.test(row)))
    for (const [columns, rows] of [
      [40, 20],
      [20, 12],
      [80, 24],
    ] as const) {
      const before = terminal.output.length
      terminal.resize(columns, rows)
      await terminal.waitFor(() => terminal.output.length > before)
      await terminal.waitFor((screen) => screen.filter((row) => /^demo\/demo/.test(row)).length === 1)
      expect(count(terminal, /Ask something/)).toBe(0)
    }
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })

  test('while an answer comes, the answer goes on and stands there whole', async () => {
    const { open } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 90 words')
    await terminal.waitFor(/every conversation is a tree/)
    for (const [columns, rows] of [
      [44, 24],
      [20, 24],
      [60, 20],
    ] as const) {
      terminal.resize(columns, rows)
      await terminal.waitFor(/Esc cancels/)
    }
    await terminal.waitFor(isIdle, 30_000)
    expect(count(terminal, /^demo\/demo/)).toBe(1)
    expect(count(terminal, /Ask something/)).toBe(1)
    const words =
      terminal
        .screen()
        .join(' ')
        .match(/\b(every conversation is a tree|costs nothing)\b/g) ?? []
    expect(words.length).toBeGreaterThan(3)
    await ask(terminal, 'Still there?')
  })
})
