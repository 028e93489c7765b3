import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { ask, inEditor, isIdle, project, readKept, SLOW, say } from '../../testing/chat-terminal.ts'
import type { Terminal } from '../../testing/terminal.ts'

const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`
const lines = (word: string) => Array.from({ length: 60 }, (_, i) => `${word} ${i}`)
/** What stands in the editor's first row, without a menu below it. */
const sees = (terminal: Terminal, text: string) =>
  terminal.waitFor((screen) => inEditor(screen).split('\n')[0]?.trim() === text)

describe('what is pasted', () => {
  test('stands before what was typed behind it, and goes with the Enter that follows at once', async () => {
    const { open, home } = project()
    const terminal = await open()
    await terminal.send(`see ${PASTE(lines('pasted').join('\r'))} and${PASTE(' two')} more\r`)
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    const { text } = await readKept(home)
    expect(text).toContain('see pasted 0\\npasted 1\\n')
    expect(text).toContain('pasted 59 and two more')
  })

  test('may be many megabytes: it comes at once, and keys do, too', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.paste('a line of a log that somebody wants to have explained\n'.repeat(200_000))
    await terminal.type('!')
    await terminal.waitFor((screen) => /^\[Pasted text #1 \+200000 lines\]!$/.test(inEditor(screen)))
  })

  test('behind an exclamation mark is what runs', async () => {
    const { open, home } = project()
    const terminal = await open()
    await terminal.type('!')
    await terminal.paste(Array.from({ length: 20 }, (_, i) => `echo $((${i} * ${i}))`).join('\n'))
    await terminal.waitFor((screen) => inEditor(screen).startsWith('![Pasted text #1'))
    await terminal.press('enter')
    await terminal.waitFor((screen) => isIdle(screen) && /^ *49$/m.test(screen.join('\n')))
    expect((await readKept(home)).text).toContain('\\n324\\n361')
  })

  test('is waited for no longer after Ctrl+C, where the clipboard does not answer', async () => {
    const { open, cwd } = project()
    const tool = join(cwd, 'wl-paste')
    writeFileSync(tool, '#!/bin/sh\nsleep 60\n')
    chmodSync(tool, 0o755)
    const terminal = await open([], { env: { PATH: `${cwd}:${process.env.PATH}`, WAYLAND_DISPLAY: 'wayland-0' } })
    await terminal.press('ctrl+v')
    await terminal.type('lost')
    await terminal.press('ctrl+c')
    await ask(terminal, 'Still there?')
  })

  test('under a menu leaves no menu for what stood there before', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.type('/hel')
    await terminal.waitFor(/› \/help/)
    await terminal.paste('lo world')
    await sees(terminal, '/hello world')
    await terminal.press('tab')
    await terminal.type('!')
    await sees(terminal, '/hello world!')
  })

  test('and said in another session is said again as it was, not as what was pasted here', async () => {
    const { open, home } = project()
    const terminal = await open()
    await terminal.send(`about tea ${PASTE(lines('tea').join('\r'))}`)
    await terminal.waitFor((screen) => inEditor(screen).includes('[Pasted text #1'))
    await terminal.press('enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    await say(terminal, '/new')
    await terminal.waitFor((screen) => isIdle(screen) && !screen.join('\n').includes('What I was given'))
    await terminal.send(`about coffee ${PASTE(lines('coffee').join('\r'))}`)
    await terminal.waitFor((screen) => /coffee \[Pasted text #1/.test(inEditor(screen)))
    await terminal.press('enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    await terminal.press('ctrl+r')
    await terminal.type('about tea')
    await terminal.waitFor((screen) => !/ago.*coffee|now.*coffee/.test(screen.join('\n')))
    await terminal.press('enter')
    await terminal.waitFor(/^ *tea 59$/m)
    await terminal.press('enter')
    await terminal.waitFor(/line from the root of this tree to here: 3\s+messages/)
    await terminal.waitFor(isIdle)
    await using store = await openFileStore({ home })
    const [latest] = await store.list()
    await using session = await store.open(latest!.id!)
    const prompts: string[] = []
    for await (const entry of session.entries()) {
      const text = JSON.stringify(entry)
      if (text.includes('"role":"user"')) prompts.push(text)
    }
    expect(prompts.at(-1)).toContain('tea 59')
    expect(prompts.at(-1)).not.toContain('coffee')
  })
})

describe('what is being written', () => {
  test('comes back with Down after earlier prompts, and is not among them when it was nothing', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'First')
    await terminal.press('enter')
    await terminal.type('half a thought')
    await terminal.press('up')
    await sees(terminal, 'First')
    await terminal.press('down')
    await sees(terminal, 'half a thought')
    await terminal.press('up', 'ctrl+c', 'up')
    await sees(terminal, 'First')
  })

  test('stays when a prompt that waits comes back', async () => {
    const { open } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 2000 words')
    await terminal.waitFor('Esc cancels')
    await say(terminal, 'this waits')
    await terminal.waitFor(/waiting.*this waits/)
    await terminal.type('half a thought')
    await terminal.press('esc')
    await terminal.waitFor('Cancelled.')
    await terminal.waitFor((screen) => /^this waits\n *half a thought$/.test(inEditor(screen)))
  })

  test('can be had back when an earlier prompt took its place', async () => {
    const { open } = project()
    const terminal = await open()
    await ask(terminal, 'First')
    await terminal.type('half a thought')
    await terminal.press('ctrl+r')
    await terminal.waitFor(/just now +First/)
    await terminal.press('enter')
    await sees(terminal, 'First')
    await terminal.send('\u001f')
    await sees(terminal, 'half a thought')
  })

  test('in one’s own editor leaves no menu behind, and may be long', async () => {
    const { open, cwd, home } = project()
    const editor = join(cwd, 'my-editor')
    writeFileSync(editor, '#!/bin/sh\nyes "0123456789 long" | head -n 2000 > "$1"\n')
    chmodSync(editor, 0o755)
    const terminal = await open([], { env: { EDITOR: editor } })
    await terminal.type('/hel')
    await terminal.waitFor(/› \/help/)
    await terminal.press('ctrl+g')
    await terminal.waitFor((screen) => /^\[Pasted text #1 \+1999 lines\]$/.test(inEditor(screen)))
    await terminal.press('tab', 'enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    expect((await readKept(home)).text).toContain('0123456789 long\\n0123456789 long')
  })
})

test('the menu opens for the next command, too', async () => {
  const { open } = project()
  const terminal = await open()
  for (const name of ['/tools', '/stats']) {
    await terminal.type(name)
    await terminal.waitFor(new RegExp(`› ${name}`))
    await terminal.press('enter')
    await terminal.waitFor(isIdle)
  }
})

test('Enter right behind a search takes what was looked for', async () => {
  const { open } = project()
  const terminal = await open()
  await ask(terminal, 'boil the kettle')
  await ask(terminal, 'water the plants')
  await terminal.press('ctrl+r')
  await terminal.waitFor(/water the plants/)
  await terminal.send('kettle\r')
  await sees(terminal, 'boil the kettle')
})
