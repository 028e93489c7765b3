import { textOf } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say } from '../testing/chat-terminal.ts'
import type { Terminal } from '../testing/terminal.ts'

const count = (terminal: Terminal, pattern: RegExp) => terminal.screen().filter((row) => pattern.test(row)).length

const inOneLine = (text: string) => text.replace(/\s+/g, ' ')

/** The last paragraph of the demo's answer, which stands above the editor at every size. */
const LAST =
  'For real answers set a key with `treeline auth set anthropic`, or start Ollama; `treeline models` shows what is there.'

/** Its rows, as they stand on the screen. */
function lastParagraph(terminal: Terminal): readonly string[] {
  const screen = terminal.screen()
  const from = screen.findLastIndex((row) => /^For real answers(?: set|$)/.test(row))
  return screen.slice(from, screen.indexOf('', from))
}

/** Rows that have room for the first word of the one below: they were broken for another width. */
function looseRows(rows: readonly string[], columns: number): readonly string[] {
  const wordBelow = (i: number) => rows[i + 1]?.split(' ')[0] ?? ' '.repeat(columns)
  return rows.filter((row, i) => row.length + 1 + wordBelow(i).length < columns)
}

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
      expect(lastParagraph(terminal).join(' '), `${columns}×${rows}`).toBe(LAST)
      expect(looseRows(lastParagraph(terminal), columns), `${columns}×${rows}`).toEqual([])
      expect(inOneLine(terminal.screen().join('\n')).split(LAST), `${columns}×${rows}`).toHaveLength(2)
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
      // A frame may come in pieces: what is there when all of it has come is what counts.
      const isOnce = (screen: readonly string[], line: RegExp) => screen.filter((row) => line.test(row)).length === 1
      await terminal.waitFor((screen) => isOnce(screen, /^demo\/demo/) && isOnce(screen, /^Tree/))
      expect(count(terminal, /Ask something/)).toBe(0)
      const shown = terminal.screen()
      expect(
        shown.filter((row) => /^Tree/.test(row)),
        `${columns}×${rows}`,
      ).toHaveLength(1)
      expect(
        shown.filter((row) => /^[› ] ● user/.test(row)),
        `${columns}×${rows}`,
      ).toHaveLength(1)
      expect(
        shown.filter((row) => /^› ● assi/.test(row)),
        `${columns}×${rows}`,
      ).toHaveLength(1)
      expect(shown.filter((row) => row.length > columns)).toEqual([])
    }
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })

  test('while an answer comes, the answer goes on and stands there whole', async () => {
    const { open, home } = project(SLOW)
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
    const { entries } = await readKept(home)
    const said = entries.findLast(({ message }) => (message as { readonly role?: string })?.role === 'assistant')
    const answer = inOneLine(textOf(said!))
    expect(answer.split(' ').length).toBeGreaterThan(80)
    expect(inOneLine(terminal.screen().join('\n')).split(answer)).toHaveLength(2)
    await ask(terminal, 'Still there?')
  })
})
