import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inEditor, isIdle, project, SLOW, say, served } from '../testing/chat-terminal.ts'
import type { Terminal } from '../testing/terminal.ts'

const ASKED = /May this run\?[\s\S]*n no/
/** Longer than anybody stops in the middle of a word. */
const A_PAUSE_MS = 700

const onScreen = (terminal: Terminal) => terminal.screen().join('\n')
const running = (id: string, command: string) => ({ toolCalls: [{ id, name: 'bash', input: { command } }] })

/** A chat whose model is held until it may ask for a tool. */
async function held(replies: Parameters<typeof served>[0], command = 'touch made') {
  const made = await served(replies)
  const gate = Promise.withResolvers<void>()
  made.server.reply({ ...running('c1', command), fault: { type: 'slow', gate: () => gate.promise } })
  const terminal = await made.open()
  await say(terminal, 'Do it')
  await terminal.waitFor('Esc cancels')
  return { ...made, terminal, askNow: gate.resolve }
}

describe('a question is answered by who has read it', () => {
  test('keys with Ctrl or Alt are no answers', async () => {
    const { open, cwd } = project()
    const terminal = await open()
    await say(terminal, 'run `touch made`')
    await terminal.waitFor(ASKED)
    await terminal.press('ctrl+y', 'ctrl+e', 'ctrl+t', 'ctrl+n')
    await terminal.send('\u001by')
    await terminal.send('\u001be')
    expect(onScreen(terminal)).toMatch(ASKED)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    await terminal.press('n')
    await terminal.waitFor('The user denied this call.')
    await terminal.waitFor(isIdle)
  })

  test('Esc cancels the turn, and says so where no answer does', async () => {
    const { open, cwd } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'run `touch made`')
    await terminal.waitFor(ASKED)
    await terminal.press('esc')
    await terminal.waitFor(/^Cancelled\.$/m)
    await terminal.waitFor(isIdle)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    await say(terminal, 'say 2000 words')
    await terminal.waitFor(/every conversation/)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    expect(onScreen(terminal).match(/^Cancelled\.$/gm)).toHaveLength(2)
  })

  test('what is being typed when it appears goes on into the editor', async () => {
    const { terminal, askNow, cwd } = await held([{ text: 'Done.' }])
    await terminal.type('and then ')
    askNow()
    let typed = ''
    for (let more = 0; more < 4; typed += 'y') {
      await terminal.press('y')
      if (ASKED.test(onScreen(terminal))) more++
    }
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    expect(onScreen(terminal)).toMatch(ASKED)
    await pass(A_PAUSE_MS)
    await terminal.press('n')
    await terminal.waitFor('The user denied this call.')
    await terminal.waitFor((screen) => inEditor(screen) === `and then ${typed}`)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  test('a key that is held down answers one of two', async () => {
    const { open, cwd } = await served([running('c1', 'touch first'), running('c2', 'touch second'), { text: 'Done.' }])
    const terminal = await open()
    await say(terminal, 'Do both')
    await terminal.waitFor(/touch first[\s\S]*n no/)
    for (let more = 0; more < 4; ) {
      await terminal.press('y')
      if (/May this run\?[\s\S]*touch second/.test(onScreen(terminal))) more++
    }
    expect(existsSync(join(cwd, 'first'))).toBe(true)
    expect(existsSync(join(cwd, 'second'))).toBe(false)
    await pass(A_PAUSE_MS)
    await terminal.press('y')
    await terminal.waitFor('Done.')
    expect(existsSync(join(cwd, 'second'))).toBe(true)
  })

  test('over an open list it stands alone and whole, and the list comes back', async () => {
    const { terminal, askNow, cwd } = await held([{ text: 'Done.' }], 'touch made\n'.repeat(40))
    await terminal.press('ctrl+r')
    await terminal.waitFor((screen) => !screen.some((row) => /Esc cancels/.test(row)))
    askNow()
    const screen = await terminal.waitFor(ASKED)
    expect(screen.join('\n')).toMatch(/rows 1–\d+ of/)
    expect(screen.filter((row) => /Do it/.test(row)).length).toBeLessThan(2)
    expect(screen.some((row) => /^May this run\? bash/.test(row))).toBe(true)
    await pass(A_PAUSE_MS)
    await terminal.press('n')
    await terminal.waitFor((rows) => !/May this run/.test(rows.join('\n')))
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })
})

test('a difference stands in a question with its colours, and without them under NO_COLOR', async () => {
  for (const env of [{}, { NO_COLOR: '1' }]) {
    const { open, cwd } = project()
    writeFileSync(join(cwd, 'tea.txt'), 'one\ntwo\n')
    const terminal = await open([], { columns: 140, env })
    const input = { path: 'tea.txt', edits: [{ oldText: 'two', newText: 'green' }] }
    await say(terminal, `use the tool edit with ${JSON.stringify(input)}`)
    await terminal.waitFor(/May this run\? edit[\s\S]*-two\n *\+green[\s\S]*n no/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are looked for.
    const coloured = /\u001b\[31m-two[\s\S]*\u001b\[32m\+green/.test(terminal.output)
    expect(coloured).toBe(!('NO_COLOR' in env))
    await terminal.press('n')
    await terminal.waitFor('The user denied this call.')
  }
})
