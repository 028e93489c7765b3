import { describe, expect, test } from 'vitest'
import { builtProgram } from '../testing/built-program.ts'
import { all, ask, inEditor, isIdle, project } from '../testing/chat-terminal.ts'
import { findForeignEscapes } from '../testing/foreign-escapes.ts'
import { openProgram, openTerminal } from '../testing/terminal.ts'

describe('keys over a slow line', () => {
  test('characters that come byte by byte are whole, and an arrow whose bytes do is one key', async () => {
    const { open } = project()
    const terminal = await open()
    for (const byte of Buffer.from('东京 é👍')) await terminal.sendByte(byte)
    await terminal.waitFor((screen) => inEditor(screen) === '东京 é👍')
    await terminal.press('ctrl+u')
    await terminal.waitFor(isIdle)
    await terminal.type('ac')
    terminal.sendAtOnce('\u001b', '[', 'D')
    await terminal.type('b')
    await terminal.waitFor((screen) => inEditor(screen) === 'abc')
  })

  test('a paste in pieces, its marks torn, is one and not sent by its line ends; keys in one read are all taken', async () => {
    const { open } = project()
    const terminal = await open()
    terminal.sendAtOnce('\u001b[20', '0~first ')
    for (const piece of ['line\rsecond', ' line\u001b[2', '01~']) await terminal.send(piece)
    await terminal.waitFor((screen) => /^first line\n *second line$/.test(inEditor(screen)))
    await terminal.type('!')
    await terminal.waitFor((screen) => /second line!$/.test(inEditor(screen)))
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await terminal.send('one\u001b[D\u001b[D\u007f\u0001> \u0005!')
    await terminal.waitFor((screen) => inEditor(screen) === '> ne!')
    await terminal.send('\u0015/tree\r')
    await terminal.waitFor(/^Tree/m)
    await terminal.send('\u001b')
    await terminal.waitFor(isIdle)
  })
})

describe('poor terminals', () => {
  test.each(['xterm', 'vt100', 'screen', 'tmux-256color', 'linux', 'no-such-terminal'])('TERM=%s', async (TERM) => {
    const { open } = project()
    const terminal = await open([], { env: { TERM } })
    await ask(terminal, 'Hi')
    expect(findForeignEscapes(terminal.output)).toEqual([])
  })

  test('TERM=dumb is told in words, without an escape', async () => {
    const { cwd, home } = project()
    const terminal = await openTerminal([], { cwd, home, env: { TERM: 'dumb' } })
    expect(await terminal.exit()).toBe(2)
    expect(all(terminal).replace(/\s+/g, ' ')).toContain('(TERM=dumb) cannot draw the chat. For one question')
    expect(terminal.output).not.toContain('\u001b')
  })

  test('without LANG everything that Treeline draws is ASCII', async () => {
    const { open } = project()
    const terminal = await open([], { env: { LANG: '' } })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
    expect(all(terminal)).not.toMatch(/[^\u0000-\u007f]/)
  })

  test('one that does not know its size is taken for 80×24', async () => {
    const { cwd, home } = project()
    const script = `stty cols 0 rows 0; exec '${process.execPath}' '${await builtProgram()}'`
    const env = { TREELINE_DEMO_DELAY_MS: '0' }
    const terminal = openProgram('sh', ['-c', script], { cwd, home, env })
    await terminal.waitFor(isIdle)
    await terminal.waitFor(/^demo\/demo/m)
    await ask(terminal, 'Hi')
    expect(terminal.screen().filter((row) => row.includes('Ask something'))).toHaveLength(1)
  })
})
