import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say, served } from '../testing/chat-terminal.ts'

describe('branching', () => {
  test('Esc Esc lists the prompts newest first; the chosen one is edited and becomes a sibling', async () => {
    const { open, home } = project()
    const terminal = await open()
    await ask(terminal, 'First question')
    await ask(terminal, 'Second question')
    await terminal.press('esc', 'esc')
    const list = await terminal.waitFor(isListed)
    const rows = list.join('\n')
    expect(rows.lastIndexOf('Second question')).toBeLessThan(rows.lastIndexOf('First question'))
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'Second question')
    await terminal.type(' again')
    await terminal.press('enter')
    await terminal.waitFor('You said: “Second question again”')
    await terminal.waitFor(isIdle)
    const { branches } = await readKept(home)
    expect(branches).toHaveLength(2)
    expect(branches.map(({ length }) => length)).toEqual([4, 4])
  })

  test('X27 the first prompt, too; who goes back is told that what came after is kept', async () => {
    const { open, home } = project()
    const terminal = await open()
    await ask(terminal, 'First question')
    await terminal.press('esc', 'esc')
    await terminal.waitFor(isListed)
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'First question')
    await terminal.waitFor('Back at an earlier place')
    await terminal.press('ctrl+u')
    await terminal.waitFor(isIdle)
    await ask(terminal, 'Another first')
    expect((await readKept(home)).branches.map(({ length }) => length)).toEqual([2, 2])
  })

  test('Esc closes the list, nothing has changed; Esc Esc in one piece open it, too, and none while one writes', async () => {
    const { open, home } = project()
    const terminal = await open()
    await ask(terminal, 'First question')
    const before = await readKept(home)
    await terminal.press('esc', 'esc')
    await terminal.waitFor(isListed)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    expect((await readKept(home)).leafId).toBe(before.leafId)
    await terminal.send('\u001b\u001b')
    await terminal.waitFor(isListed)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    await terminal.type('half a thought')
    await terminal.press('esc', 'esc')
    await terminal.type('!')
    await terminal.waitFor((screen) => inEditor(screen) === 'half a thought!')
  })

  test('/tree opens over the chat and Esc closes it', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'First question')
    await say(terminal, '/tree')
    await terminal.waitFor(isListed)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    await ask(terminal, 'Second question')
  })
})

describe('long conversations', () => {
  test('/compact sums up, and the chat goes on', async () => {
    const { open, home } = project()
    const terminal = await open()
    for (let i = 0; i < 3; i++) {
      const prompt = `say ${4900 + i} words`
      await say(terminal, prompt)
      await terminal.waitFor((screen) => isIdle(screen) && all(terminal).includes(`❯ ${prompt}\n`))
    }
    await say(terminal, '/compact')
    await terminal.waitFor(/summed up|summar|compact(ed|ion)/i)
    await terminal.waitFor(isIdle)
    await ask(terminal, 'And now?')
    expect((await readKept(home)).entries.some(({ type }) => type === 'compaction')).toBe(true)
  })
})

describe('coming back', () => {
  test('-c shows what was said and goes on there', async () => {
    const { open, home } = project()
    const first = await open()
    await ask(first, 'Remember the kettle')
    await first.press('ctrl+d')
    await first.exit()
    const second = await open(['-c'])
    expect(all(second)).toContain('Remember the kettle')
    await ask(second, 'What did I say?')
    expect((await readKept(home)).branches.map(({ length }) => length)).toEqual([4])
  })

  test('D1 after kill -9 in the middle of an answer -c has the prompt and goes on', async () => {
    const { open, home } = project(SLOW)
    const first = await open()
    await say(first, 'say 2000 words')
    await first.waitFor(/(every conversation[\s\S]*){3}/)
    await first.kill()
    const second = await open(['-c'])
    expect(all(second)).toContain('say 2000 words')
    await say(second, 'Are you there?')
    // The demo is still asked for 2000 words, too: nothing of its answer had been kept.
    await second.waitFor(/Are you there\?[\s\S]*every conversation/)
    await second.press('esc')
    await second.waitFor('Cancelled.')
    await second.waitFor(isIdle)
    const { branches, text } = await readKept(home)
    expect(branches).toHaveLength(1)
    expect(text).toContain('say 2000 words')
  })
})

describe('the screen', () => {
  test('40 columns are enough', async () => {
    const { open } = project()
    const terminal = await open([], { columns: 40, rows: 40 })
    await say(terminal, 'Hi')
    await terminal.waitFor('You said: “Hi”')
    await terminal.waitFor(isIdle)
    for (const row of terminal.screen()) expect(row.length).toBeLessThanOrEqual(40)
    expect(terminal.screen().filter((row) => row.includes('demo/demo'))).toHaveLength(1)
  })

  test('a new size is followed, without leftovers', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'Hi')
    for (const [columns, rows] of [
      [50, 20],
      [100, 30],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows)
      await terminal.type('x')
      await terminal.waitFor((screen) => inEditor(screen).includes('x'))
    }
    await terminal.press('ctrl+u')
    await terminal.waitFor(isIdle)
    expect(terminal.screen().filter((row) => row.includes('demo/demo'))).toHaveLength(1)
    expect(terminal.screen().filter((row) => row.includes('Ask something'))).toHaveLength(1)
  })

  test('NO_COLOR is heard', async () => {
    const { open } = project()
    const terminal = await open([], { env: { NO_COLOR: '1' } })
    await ask(terminal, 'Hi')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
    expect(terminal.output).not.toMatch(/\u001b\[[0-9;]*\b(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m/)
  })

  test('without Unicode everything that Treeline draws is ASCII', async () => {
    const { open } = project()
    const terminal = await open([], { env: { LANG: 'C', LC_ALL: 'C' } })
    await terminal.type('!echo plain')
    await terminal.press('enter')
    await terminal.waitFor(/^ *plain$/m)
    await terminal.waitFor(isIdle)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
    expect(all(terminal)).not.toMatch(/[^\u0000-\u007f]/)
  })

  test('an answer longer than the screen is in the scrollback, once and whole', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `- point number ${i}.`)
    const { open } = await served([{ text: lines.join('\n'), chunkChars: 40 }])
    const terminal = await open()
    await say(terminal, 'Tell me all')
    await terminal.waitFor('point number 59.')
    await terminal.waitFor(isIdle)
    const seen = all(terminal)
    for (const line of lines) expect(seen.split(line.slice(2)), line).toHaveLength(2)
  })
})

/** A list lies over the chat: its first prompt can be seen and the editor cannot. */
function isListed(screen: readonly string[]): boolean {
  return screen.some((row) => row.includes('First question')) && !screen.some((row) => /^[❯>] Ask something/.test(row))
}
