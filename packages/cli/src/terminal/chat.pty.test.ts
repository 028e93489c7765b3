import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say } from '../testing/chat-terminal.ts'
import type { Terminal } from '../testing/terminal.ts'

describe('a new user', () => {
  test('without a key sees who answers and what to do, asks, and sees the question and the answer', async () => {
    const { open, home } = project()
    const terminal = await open()
    const screen = (await terminal.waitFor('demo/demo')).join('\n')
    expect(screen).toMatch(/No key is set/)
    expect(screen).toMatch(/treeline\s+auth\s+set\s+anthropic/)
    expect(screen).toMatch(/Esc Esc/)
    expect(screen).toMatch(/\/help/)
    await ask(terminal, 'Hello there')
    expect(all(terminal)).toMatch(/❯ Hello there\n\nI am Treeline's demo/)
    expect((await readKept(home)).branches).toHaveLength(1)
  })

  test('sees the answer while it comes', async () => {
    const { open } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 300 words')
    await terminal.waitFor(/every conversation is a tree/)
    await terminal.waitFor(/Esc cancels/)
    expect(all(terminal)).not.toContain('costs nothing.')
  })

  test('a prompt given on the command line is sent at once', async () => {
    const { open } = project()
    const terminal = await open(['How are you?'])
    await terminal.waitFor('You said: “How are you?”')
  })

  test.each([
    ['/quit', async (terminal: Terminal) => say(terminal, '/quit')],
    ['Ctrl+C twice', async (terminal: Terminal) => terminal.press('ctrl+c', 'ctrl+c')],
    ['Ctrl+D', async (terminal: Terminal) => terminal.press('ctrl+d')],
  ])('leaves with %s and is told how to come back', async (_, leave) => {
    const { open, home } = project()
    const terminal = await open()
    await ask(terminal, 'Hello')
    await leave(terminal)
    expect(await terminal.exit()).toBe(0)
    const { id } = await readKept(home)
    expect(all(terminal)).toContain(`treeline -r ${id.slice(-8)}`)
    expect(terminal.output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.output.lastIndexOf('\u001b[?25l'))
  })
})

describe('the editor', () => {
  test('Shift+Enter, Alt+Enter and Ctrl+J begin a line, enter sends all', async () => {
    const { open, home } = project()
    const terminal = await open()
    for (const [index, key] of (['shift+enter', 'alt+enter', 'ctrl+j'] as const).entries()) {
      await terminal.type(`one ${index}`)
      await terminal.press(key)
      await terminal.type('two')
      await terminal.waitFor((screen) => new RegExp(`^one ${index}\\n *two$`).test(inEditor(screen)))
      await terminal.press('enter')
      await terminal.waitFor(`You said: “one ${index} two`)
      await terminal.waitFor(isIdle)
      expect((await readKept(home)).text, key).toContain(`one ${index}\\ntwo`)
    }
  })

  test('keys that come in one piece are all taken, and text with enter in one piece is sent', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.send('ac\u001b[Db\u001b[C\u001b[Dx\u007f')
    await terminal.waitFor((screen) => inEditor(screen) === 'abc')
    await terminal.press('ctrl+u')
    // Only what stands behind the cursor is left.
    await terminal.waitFor((screen) => inEditor(screen) === 'c')
    await terminal.press('delete')
    await terminal.waitFor(isIdle)
    await terminal.send('quick\r')
    await terminal.waitFor('You said: “quick”')
  })

  test('a paste of several lines is not sent before enter', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.paste('first line\nsecond line')
    await terminal.waitFor((screen) => /^first line\n *second line$/.test(inEditor(screen)))
    await terminal.press('enter')
    await terminal.waitFor('You said: “first line')
  })

  test('a long paste stands as a placeholder and is sent whole', async () => {
    const { open, home } = project()
    const terminal = await open()
    await terminal.paste(Array.from({ length: 60 }, (_, i) => `pasted ${i}`).join('\n'))
    await terminal.waitFor((screen) => /^\[.*\]/i.test(inEditor(screen)))
    expect(terminal.screen().join('\n')).not.toContain('pasted 59')
    await terminal.press('enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    expect((await readKept(home)).text).toContain('pasted 59')
  })

  test('wide characters and emoji are edited as a person counts them', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.type('東京👩‍👩‍👧é')
    await terminal.press('backspace', 'backspace')
    await terminal.waitFor((screen) => inEditor(screen) === '東京')
    expect(terminal.cursor().column).toBeLessThanOrEqual(80)
  })

  test('up recalls what was said before', async () => {
    const { open } = project()
    const first = await open()
    await ask(first, 'Remember me')
    await first.press('up')
    await first.waitFor((screen) => inEditor(screen) === 'Remember me')
    // Left as one leaves: what was said is written a moment later, and kill -9 may come before that.
    await first.press('ctrl+c', 'ctrl+d')
    await first.exit()
    const second = await open()
    await second.press('up')
    await second.waitFor((screen) => inEditor(screen) === 'Remember me')
  })
})

describe('while it is busy', () => {
  test('Esc cancels, and what came stays', async () => {
    const { open, home } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 2000 words')
    await terminal.waitFor(/every conversation is a tree/)
    await terminal.press('esc')
    await terminal.waitFor('Cancelled.')
    await terminal.waitFor(isIdle)
    expect(all(terminal)).toContain('every conversation is a tree')
    const { entries } = await readKept(home)
    const answer = entries.find((entry) => JSON.stringify(entry).includes('every conversation is a tree'))
    expect(answer?.message).toMatchObject({ role: 'assistant', stopReason: 'aborted' })
  })

  test('what is typed waits and is sent after', async () => {
    const { open, home } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 40 words')
    await terminal.waitFor('Esc cancels')
    await say(terminal, 'and then this')
    await terminal.waitFor(/waiting.*and then this/)
    await terminal.waitFor('You said: “and then this”')
    await terminal.waitFor(isIdle)
    const { branches, text } = await readKept(home)
    expect(branches).toHaveLength(1)
    expect(text.indexOf('say 40 words')).toBeLessThan(text.indexOf('and then this'))
  })

  test('Esc Esc only cancels', async () => {
    const { open } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 2000 words')
    await terminal.waitFor(/every conversation is a tree/)
    await terminal.press('esc', 'esc')
    await terminal.waitFor('Cancelled.')
    await terminal.waitFor(isIdle)
    await terminal.type('still typing')
    await terminal.waitFor((screen) => inEditor(screen) === 'still typing')
  })
})

describe('tools', () => {
  test('one that needs approval shows what it would run, and y runs it', async () => {
    const { open, cwd } = project()
    const terminal = await open()
    await say(terminal, 'run `touch made`')
    const screen = await terminal.waitFor(/y yes.*n no/s)
    expect(screen.join('\n')).toContain('touch made')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    await terminal.press('y')
    await terminal.waitFor('The tool has answered')
    await terminal.waitFor(isIdle)
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })

  test('n denies it', async () => {
    const { open, cwd } = project()
    const terminal = await open()
    await say(terminal, 'run `touch made`')
    await terminal.waitFor(/n no/)
    await terminal.press('n')
    await terminal.waitFor(/denied|not allowed/i)
    await terminal.waitFor(isIdle)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  test('Esc at the question cancels the turn', async () => {
    const { open, cwd } = project()
    const terminal = await open()
    await say(terminal, 'run `touch made`')
    await terminal.waitFor(/n no/)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    await ask(terminal, 'Still there?')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  test('!command runs, and the model is told of it', async () => {
    const { open, home } = project()
    const terminal = await open()
    await say(terminal, '!echo hi $((40 + 2))')
    await terminal.waitFor('hi 42')
    await terminal.waitFor(isIdle)
    expect((await readKept(home)).text).toContain('hi 42')
  })
})
