import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, SLOW, say, served } from '../../testing/chat-terminal.ts'
import type { Terminal } from '../../testing/terminal.ts'

const onScreen = (terminal: Terminal) => terminal.screen().join('\n')
/** Wherever lines break. */
const countOf = (text: string, part: string) => text.replace(/\s+/g, ' ').split(part).length - 1

describe('folded', () => {
  test('output shows its beginning; Ctrl+O shows all of it and folds it again', async () => {
    const { open } = project()
    const terminal = await open()
    await say(terminal, '!seq 101 130')
    await terminal.waitFor('+ 22 more lines (Ctrl+O shows all)')
    await terminal.waitFor(isIdle)
    expect(all(terminal)).toMatch(/101\n *102\n/)
    expect(all(terminal)).not.toMatch(/^ *130$/m)
    await terminal.press('ctrl+o')
    await terminal.waitFor(/^ *130$/m)
    await terminal.waitFor(isIdle)
    expect(onScreen(terminal)).not.toContain('more lines')
    await terminal.press('ctrl+o')
    await terminal.waitFor('+ 22 more lines (Ctrl+O shows all)')
    expect(onScreen(terminal)).not.toMatch(/^ *130$/m)
  })

  test('thoughts are a line until they are asked for, and not part of the answer', async () => {
    const { open } = project()
    const terminal = await open(['--thinking', 'high'])
    await ask(terminal, 'Hello')
    expect(onScreen(terminal)).toMatch(/thought \(Ctrl\+O shows it\): Thinking is set to high\./)
    expect(onScreen(terminal)).not.toContain('choose a rule')
    await terminal.press('ctrl+o')
    await terminal.waitFor('choose a rule for it.')
  })

  test('thoughts are seen while they come', async () => {
    const { open } = project(SLOW)
    const terminal = await open(['--thinking', 'high'])
    await say(terminal, 'Hello')
    await terminal.waitFor(/Thinking is set[\s\S]*thinking .*\(Esc cancels\)/)
  })

  test('of an edit the difference is shown, also when one comes back', async () => {
    const { open, cwd } = project()
    writeFileSync(join(cwd, 'tea.txt'), 'one\ntwo\n')
    const first = await open(['--mode', 'autoEdit'], { columns: 140 })
    const input = { path: 'tea.txt', edits: [{ oldText: 'two', newText: 'green' }] }
    await say(first, `use the tool edit with ${JSON.stringify(input)}`)
    await first.waitFor(/-two\n *\+green/)
    await first.waitFor(isIdle)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are looked for.
    expect(first.output).toMatch(/\u001b\[32m\+green/)
    await first.press('ctrl+d')
    await first.exit()
    const second = await open(['-c'])
    expect(all(second)).toMatch(/edit\(path=tea\.txt[\s\S]*-two\n *\+green/)
  })
})

test('an image stands as a placeholder where it was said, also when one comes back', async () => {
  const { open, cwd } = project()
  writeFileSync(join(cwd, 'tea.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  const first = await open()
  await first.paste(join(cwd, 'tea.png'))
  await first.waitFor((screen) => inEditor(screen) === '[Image #1]')
  await first.type(' is this tea?')
  await first.press('enter')
  await first.waitFor('What I was given')
  await first.waitFor(isIdle)
  const shown = /^❯ \[Image\]\n {2,}is this tea\?$/m
  expect(all(first)).toMatch(shown)
  await first.press('ctrl+d')
  await first.exit()
  expect(all(await open(['-c']))).toMatch(shown)
})

describe('another transcript', () => {
  test('is printed from the top of an empty screen, and what was there is above', async () => {
    const { open } = project()
    const terminal = await open([], { rows: 30 })
    await ask(terminal, 'First question')
    await ask(terminal, 'Second question')
    await terminal.press('esc', 'esc')
    await terminal.waitFor((screen) => !screen.some((row) => /Ask something/.test(row)))
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'Second question')
    await terminal.waitFor('Back at an earlier place')
    expect(terminal.screen().slice(0, 2).join('\n')).toContain('First question')
    expect(countOf(onScreen(terminal), 'You said: “Second question”')).toBe(0)
    expect(countOf(onScreen(terminal), 'You said: “First question”')).toBe(1)
    const above = terminal.scrollback().join('\n')
    expect(above).toContain('Treeline keeps this conversation as a tree.')
    expect(countOf(above, 'You said: “Second question”')).toBe(1)
  })

  test('a note is added to the one that is shown, without printing it again', async () => {
    const { open } = project()
    const terminal = await open([], { rows: 40 })
    await ask(terminal, 'First question')
    await say(terminal, '/name Kettle')
    await terminal.waitFor(/Kettle/)
    await terminal.waitFor(isIdle)
    expect(countOf(all(terminal), 'You said: “First question”')).toBe(1)
  })
})

describe('what goes on', () => {
  test('tells how long it takes, and shows the end of what a command prints', async () => {
    const { open } = project()
    const terminal = await open()
    await say(terminal, '!for i in $(seq 1 60); do echo line $i; sleep 0.1; done')
    await terminal.waitFor(/line 3\d\n[\s\S]* 3 s \(Esc cancels\)/)
    expect(onScreen(terminal)).not.toMatch(/^line 20$/m)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })
})

describe('a question', () => {
  test('about something long is scrolled to its last line, at 80×24 and at 40 columns', async () => {
    for (const columns of [80, 40]) {
      const lines = Array.from(
        { length: 60 },
        (_, i) => `echo step ${i} of a long script that wraps in a narrow window`,
      )
      const { open } = await served([
        { toolCalls: [{ id: 'c1', name: 'bash', input: { command: lines.join('\n') } }] },
        { text: 'Done.' },
      ])
      const terminal = await open({ columns, rows: 24 })
      await say(terminal, 'Run it')
      await terminal.waitFor(/May this run\? bash[\s\S]*echo step 0 [\s\S]*n no/)
      expect(onScreen(terminal)).toMatch(/rows 1–\d+ of/)
      const seen = new Set<string>()
      const note = () => {
        for (const row of terminal.screen()) seen.add(/echo step \d+/.exec(row)?.[0] ?? '')
      }
      note()
      for (let page = 0; page < 12 && !onScreen(terminal).includes('echo step 59'); page++) {
        const before = onScreen(terminal)
        await terminal.press('pagedown')
        await terminal.waitFor((screen) => screen.join('\n') !== before)
        note()
      }
      for (let i = 0; i < 60; i++) expect(seen, `${columns} columns`).toContain(`echo step ${i}`)
      await terminal.press('n')
      await terminal.waitFor('The user denied this call.')
    }
  })
})
