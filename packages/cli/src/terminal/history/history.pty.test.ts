import { openHome, openPromptHistory } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { ask, inEditor, isIdle, project } from '../../testing/chat-terminal.ts'

const BATCH = 1_000

/** Writes a history as chats before have left it. */
async function remember(home: string, cwd: string, prompts: Iterable<string>): Promise<void> {
  await using history = openPromptHistory({ home: openHome({ home }) })
  for (const prompt of prompts) {
    history.add(prompt, cwd)
    if (history.pendingCount === BATCH) await history.flush()
  }
  await history.flush()
  expect(history.lostCount).toBe(0)
}

describe('Ctrl+R', () => {
  test('lists what was said newest first; typing finds, Enter puts it into the editor', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, ['boil the kettle', 'water the plants', 'Kettle again\nin two lines'])
    const terminal = await open()
    await terminal.press('ctrl+r')
    await terminal.waitFor(/Kettle again in two lines[\s\S]*water the plants[\s\S]*boil the kettle/)
    await terminal.type('kettle')
    await terminal.waitFor((screen) => !screen.join('\n').includes('plants'))
    await terminal.press('down', 'enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'boil the kettle')
    await terminal.press('ctrl+u')
    await terminal.waitFor(isIdle)
    await terminal.press('ctrl+r')
    await terminal.waitFor(/Kettle again/)
    await terminal.press('enter')
    await terminal.waitFor((screen) => /^Kettle again\n *in two lines$/.test(inEditor(screen)))
  })

  test('Tab shows those of all projects, and Esc goes back to what was typed', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, ['said here'])
    await remember(home, '/elsewhere', ['said elsewhere'])
    const terminal = await open()
    await terminal.send('half a thought\u0012')
    await terminal.waitFor('said here')
    expect(terminal.screen().join('\n')).not.toContain('said elsewhere')
    await terminal.press('tab')
    await terminal.waitFor('said elsewhere')
    await terminal.press('esc')
    await terminal.waitFor((screen) => inEditor(screen) === 'half a thought')
  })

  test('finds what was said a moment ago, and says when there is nothing', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'A fresh question')
    await terminal.press('ctrl+r')
    await terminal.waitFor(/just now +A fresh question/)
    await terminal.type('zebra')
    await terminal.waitFor('Nothing like it was said')
  })

  test('K4 what was said cannot do anything to the terminal', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, ['evil \u001b]0;owned\u0007\u001b[2J\u202e title'])
    const terminal = await open()
    await terminal.press('ctrl+r')
    await terminal.waitFor(/evil +title/)
    expect(terminal.output).not.toContain('owned')
  })

  test('answers while one types, in a long history and to its very end', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, numbered(10_000))
    const terminal = await open()
    await terminal.press('ctrl+r')
    await terminal.waitFor('prompt number 9999')
    await terminal.type('number 77')
    await terminal.waitFor(/number 7799[\s\S]*number 7798/)
    await terminal.type('1')
    await terminal.waitFor(/number 7719[\s\S]*number 771\b/)
    await terminal.press('end')
    await terminal.waitFor(/› .*number 771\b/)
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'prompt number 771')
  })

  test('pages are read as they are reached', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, numbered(130))
    const terminal = await open()
    await terminal.press('ctrl+r')
    await terminal.waitFor('prompt number 129')
    for (const last of [80, 30, 0]) {
      await terminal.press('end')
      await terminal.waitFor(new RegExp(`› .*number ${last}\\b`))
    }
  })

  test('fits 40 columns without Unicode', async () => {
    const { open, cwd, home } = project()
    await remember(home, cwd, ['a prompt that is far too long for a terminal as narrow as this one'])
    const terminal = await open([], { columns: 40, rows: 12, env: { LANG: 'C', LC_ALL: 'C', NO_COLOR: '1' } })
    await terminal.press('ctrl+r')
    const screen = await terminal.waitFor(/> .*a prompt that/)
    for (const row of screen) expect(row).toMatch(/^[ -~]{0,40}$/)
  })
})

function* numbered(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `prompt number ${i}`
}
