import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openFileStore, openHome, openPromptHistory } from '@treeline/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, say } from '../testing/chat-terminal.ts'
import { findForeignEscapes } from '../testing/foreign-escapes.ts'
import { plantHostileSession } from '../testing/hostile-session.ts'
import { hostile, hostileFileNames, hostileName } from '../testing/hostile-text.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { openTerminal } from '../testing/terminal.ts'
import { expectSeen, leaveUnmoved } from '../testing/unmoved.ts'

const QUICK = { TREELINE_DEMO_DELAY_MS: '0' }

/** A provider that refuses, at first as if it were busy. */
async function hostileProvider(): Promise<string> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    const isBusy = asked++ === 0
    response.writeHead(isBusy ? 503 : 400, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ error: { message: hostile(isBusy ? 'busy' : 'refused'), type: hostile('type') } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function script(name: string, text: string): { readonly folder: string; readonly path: string } {
  const folder = tempFolder()
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return { folder, path }
}

describe('K4 what stands around the chat drives no terminal', () => {
  test('what a provider says when it refuses', async () => {
    const url = await hostileProvider()
    const { open } = project({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: url })
    const terminal = await open(['--model', 'openai/gpt-6-luna'])
    await say(terminal, 'Hi')
    await terminal.waitFor(/refused/)
    await terminal.waitFor(isIdle)
    expectSeen(terminal, ['busy', 'Trying again', 'refused'])
    await leaveUnmoved(terminal)
  })

  test('a model that is not known', async () => {
    const { home, cwd } = project()
    await plantHostileSession(home, cwd, hostile('nosuchmodel'))
    const terminal = await openTerminal(['-c'], { home, cwd, env: QUICK })
    await terminal.waitFor(isIdle)
    await terminal.waitFor(() => terminal.output.includes('\u001b[?2004h'))
    await say(terminal, 'Hi')
    await terminal.waitFor(/nosuchmodel/)
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await leaveUnmoved(terminal)
  })

  test('folders, names of files, and what is in them', async () => {
    const cwd = join(tempFolder(), hostileFileNames()[0]!, hostileFileNames()[1]!)
    mkdirSync(cwd, { recursive: true })
    const names = hostileFileNames()
    for (const name of names) writeFileSync(join(cwd, name), hostile('inside'))
    writeFileSync(join(cwd, 'file.txt'), hostile('mentioned'))
    writeFileSync(join(cwd, 'AGENTS.md'), hostile('rules'))
    mkdirSync(join(cwd, '.treeline'))
    writeFileSync(
      join(cwd, '.treeline', 'settings.json'),
      `{ "${names[0]!.replace(/[\\"\p{Cc}]/gu, '')}": 1, "bell": 7 }`,
    )
    const { home, open } = project()
    const terminal = await open([], { cwd, rows: 40 })
    await terminal.type('@file')
    // Names that nobody could type are not offered.
    await terminal.waitFor(/^ +. file\.txt$/m)
    expect(terminal.screen().join('\n')).not.toMatch(/^ +.? file\d/m)
    await terminal.press('tab', 'enter')
    await terminal.waitFor(/You said|What I was given/)
    await terminal.waitFor(isIdle)
    // Its output is seen while it runs, which is until the pipe says something.
    await say(terminal, '!mkfifo pipe; ls; cat file*; cat pipe')
    await terminal.waitFor(/inside[\s\S]*Esc cancels/)
    writeFileSync(join(cwd, 'pipe'), 'the end\n')
    await terminal.waitFor(isIdle)
    await say(terminal, '/config')
    await terminal.waitFor(isIdle)
    await leaveUnmoved(terminal)
    const again = await openTerminal(['-r'], { cwd, home, env: QUICK })
    await again.waitFor(/^Sessions/m)
    await again.press('esc')
    await again.exit()
    // Ours: it has a screen of its own, and gives the other back.
    expect(findForeignEscapes(again.output)).toEqual(['"\\u001b[?1049h"', '"\\u001b[?1049l"'])
  })

  test('earlier prompts, pastes, and what an editor and a clipboard give', async () => {
    const editor = script('my-editor', `cat "$HOSTILE_FILE" > "$1"`)
    const clipboard = script('wl-paste', `[ "$1" = --list-types ] && echo text/plain || cat "$HOSTILE_FILE"`)
    const file = join(tempFolder(), 'hostile')
    writeFileSync(file, hostileName('fromfile'))
    const { home, cwd, open } = project()
    await using history = openPromptHistory({ home: openHome({ home }) })
    history.add(hostile('earlier'), cwd)
    await history.flush()
    const PATH = `${clipboard.folder}:${process.env.PATH}`
    const env = { EDITOR: editor.path, HOSTILE_FILE: file, WAYLAND_DISPLAY: hostileName('wayland'), PATH }
    const terminal = await open([], { env: { ...QUICK, ...env } })
    await terminal.press('ctrl+r')
    await terminal.waitFor(/earlier/)
    await terminal.type('owned')
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen).includes('earlier'))
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await terminal.press('up')
    await terminal.waitFor((screen) => inEditor(screen).includes('earlier'))
    await terminal.press('ctrl+c')
    await terminal.press('ctrl+g')
    await terminal.waitFor((screen) => inEditor(screen).includes('fromfile'))
    await terminal.press('ctrl+c')
    await terminal.press('ctrl+v')
    await terminal.waitFor((screen) => inEditor(screen).includes('fromfile'))
    await terminal.press('ctrl+c')
    await terminal.paste(hostileName('pasted').replaceAll('\u001b', ''))
    await terminal.waitFor((screen) => inEditor(screen).includes('pasted'))
    await terminal.press('enter')
    await terminal.waitFor(/You said/)
    await terminal.waitFor(isIdle)
    await leaveUnmoved(terminal)
  })

  test('what another terminal says', async () => {
    const { home, open } = project()
    const terminal = await open()
    await ask(terminal, 'Common ground')
    const { id, leafId } = await readKept(home)
    await using store = await openFileStore({ home })
    await using session = await store.open(id)
    const content = [{ type: 'text', text: hostile('elsewhere') }]
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } }, { parentId: leafId })
    await session.rename(hostile('newname'))
    await terminal.waitFor(/another terminal ❯ elsewhere/)
    await terminal.waitFor(/newname/)
    await leaveUnmoved(terminal)
    expect(all(terminal)).toMatch(/Kept: “newname/)
  })

  test('the terminal itself, by its variables', async () => {
    const TERM_PROGRAM = hostileName('program')
    const { open } = project()
    const terminal = await open([], {
      env: { ...QUICK, TERM_PROGRAM, TMUX_PANE: TERM_PROGRAM, COLORTERM: TERM_PROGRAM },
    })
    await ask(terminal, 'Hi')
    await leaveUnmoved(terminal)
  })
})
