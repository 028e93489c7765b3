import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, say } from '../../testing/chat-terminal.ts'
import type { Terminal } from '../../testing/terminal.ts'

/** What stands in the editor's first row, without the menu below it. */
const typed = (screen: readonly string[]) => inEditor(screen).split('\n')[0]
const sees = (terminal: Terminal, text: string) => terminal.waitFor((screen) => typed(screen) === text)

describe('commands', () => {
  test('a slash lists them with what they do; the arrows choose, Tab takes, and what may follow is listed', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.type('/mo')
    await terminal.waitFor(/› \/model .*answers.*\n +\/mode /)
    await terminal.press('down', 'tab')
    await sees(terminal, '/mode')
    await terminal.waitFor(/autoEdit/)
    await terminal.type('a')
    await terminal.waitFor(/› autoEdit/)
    await terminal.press('tab')
    await sees(terminal, '/mode autoEdit')
    await terminal.press('enter')
    await terminal.waitFor(/Mode autoEdit/)
  })

  test('Enter completes a name that is not whole, and sends one that is', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.type('/hel')
    await terminal.waitFor(/› \/help/)
    await terminal.press('enter')
    await sees(terminal, '/help')
    await terminal.press('enter')
    await terminal.waitFor(/runs a command/)
    await terminal.waitFor(isIdle)
    await terminal.type('/tools')
    await terminal.waitFor(/› \/tools/)
    await terminal.press('enter')
    await terminal.waitFor(/bash/)
  })

  test('Esc closes the menu and nothing else; the next Esc does not count with it', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'Hello')
    await terminal.type('/')
    await terminal.waitFor(/› \/help/)
    await terminal.press('esc')
    await terminal.waitFor((screen) => !screen.join('\n').includes('/help ['))
    await sees(terminal, '/')
    await terminal.press('backspace')
    await terminal.waitFor(isIdle)
    await terminal.press('esc')
    await terminal.type('still here')
    await sees(terminal, 'still here')
  })

  test('what was recalled opens no menu, so that the arrows go on recalling', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'First')
    await say(terminal, '/tools')
    await terminal.waitFor(/bash/)
    await terminal.waitFor(isIdle)
    await terminal.press('up')
    await sees(terminal, '/tools')
    await terminal.press('up')
    await sees(terminal, 'First')
  })

  test('fits 40 columns without Unicode and without colours', async () => {
    const { open } = project()
    const terminal = await open([], { columns: 40, rows: 16, env: { LANG: 'C', LC_ALL: 'C', NO_COLOR: '1' } })
    await terminal.type('/')
    const screen = await terminal.waitFor(/> \/help/)
    for (const row of screen) expect(row).toMatch(/^[ -~]{0,40}$/)
    await terminal.press('up')
    await terminal.waitFor(/> \/quit/)
  })
})

describe('files', () => {
  test('@ lists them, Tab takes one, and the model gets it while the transcript only names it', async () => {
    const { open, cwd, home } = project()
    mkdirSync(join(cwd, 'src'))
    writeFileSync(join(cwd, 'src/kettle.ts'), 'boil()\nwhistle()\n')
    writeFileSync(join(cwd, 'src/a pot.ts'), 'simmer()\n')
    const terminal = await open()
    await terminal.type('What is @ket')
    await terminal.waitFor(/› src\/kettle.ts/)
    await terminal.press('tab')
    await sees(terminal, 'What is @src/kettle.ts')
    await terminal.type('and @"a p')
    await terminal.waitFor(/› src\/a pot.ts/)
    await terminal.press('down', 'enter')
    await sees(terminal, 'What is @src/kettle.ts and @"src/a pot.ts"')
    await terminal.press('enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    expect(all(terminal)).toMatch(
      /❯ What is @src\/kettle.ts and @"src\/a pot.ts"\n {2}\+ src\/kettle.ts \(2 lines\)\n {2}\+ src/,
    )
    const { entries } = await readKept(home)
    const said = entries.find(({ message }) => (message as { role?: string } | undefined)?.role === 'user')
    expect(said?.message).toMatchObject({
      content: [
        { text: 'What is @src/kettle.ts and @"src/a pot.ts"' },
        { text: '<file path="src/kettle.ts" count="2">\nboil()\nwhistle()\n</file>' },
        { text: '<file path="src/a pot.ts" count="1">\nsimmer()\n</file>' },
      ],
    })
  })

  test('a folder is gone into', async () => {
    const { open, cwd } = project()
    mkdirSync(join(cwd, 'kitchen'))
    writeFileSync(join(cwd, 'kitchen/sink.ts'), '')
    const terminal = await open()
    await terminal.type('@kit')
    await terminal.waitFor(/› kitchen\//)
    await terminal.press('tab')
    await terminal.waitFor(/› kitchen\/sink.ts/)
    await terminal.press('tab')
    await sees(terminal, '@kitchen/sink.ts')
  })

  test('K4 a name cannot do anything to the terminal', async () => {
    const { open, cwd } = project()
    writeFileSync(join(cwd, 'evil\u001b]0;owned\u0007'), 'x')
    writeFileSync(join(cwd, 'evil-plain'), 'x')
    const terminal = await open()
    await terminal.type('@evil')
    await terminal.waitFor(/› evil-plain/)
    expect(terminal.output).not.toContain('owned')
  })

  test('a file outside of the project is refused, and the prompt goes without it', async () => {
    const { open, home } = project()
    const terminal = await open()
    await say(terminal, 'read @/etc/hostname')
    await terminal.waitFor('outside of the project')
    await terminal.waitFor(isIdle)
    expect((await readKept(home)).text).not.toContain('<file')
  })

  test('when one goes back to such a prompt, only its words come back', async () => {
    const { open, cwd } = project()
    writeFileSync(join(cwd, 'note.txt'), 'remember\n')
    const terminal = await open()
    await say(terminal, 'explain @note.txt')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    await terminal.press('esc', 'esc')
    await terminal.waitFor(/Enter/)
    await terminal.press('enter')
    await sees(terminal, 'explain @note.txt')
  })
})
