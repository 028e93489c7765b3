import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '@treeline/agent/testing'
import { openFileStore } from '@treeline/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept } from '../testing/chat-terminal.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'
import { said } from '../testing/sample-home.ts'
import { openTerminal, type Terminal } from '../testing/terminal.ts'

async function quit(terminal: Terminal): Promise<string> {
  await terminal.press('ctrl+d')
  expect(await terminal.exit()).toBe(0)
  return terminal.screen().join('\n')
}

/** As a multiplexer numbers its panes. */
const pane = (number: number) => ({ env: { TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: `%${number}` } })

/** A session with one turn. */
async function plant(home: string, cwd: string, prompt: string) {
  await using store = await openFileStore({ home })
  const entries = [said('ask00001', null, 'user', prompt), said('rep00001', 'ask00001', 'assistant', 'Heard.')]
  await using session = await store.create({ cwd, entries })
  return { id: session.id, path: session.path }
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) =>
        file.isFile() ? [file.name] : [],
      )
    : []

describe('what a chat begins with', () => {
  test('a prompt on the command line is said at once; -c goes on with what this terminal did last', async () => {
    const { cwd, home, open } = project()
    const first = await open(['Talk of pane 1'], pane(1))
    await first.waitFor('You said: “Talk of pane 1”')
    await first.waitFor(isIdle)
    await quit(first)
    const env = { ...pane(2).env, TREELINE_DEMO_DELAY_MS: '0' }
    await runTreeline(['-p', 'Talk of pane 2'], { cwd, home, env })
    const [own, elsewhere] = await Promise.all([open(['-c'], pane(1)), open(['-c'], pane(3))])
    expect(all(own)).toContain('Talk of pane 1')
    expect(all(elsewhere)).toContain('Talk of pane 2')
    await quit(elsewhere)
    await ask(own, 'The latest of all')
    // Nothing was said there, only looked at.
    expect(all(await open(['-c'], pane(3)))).toContain('Talk of pane 2')
  })

  test('what cannot be noted for -c is told in the transcript, and the chat goes on', async () => {
    const { home, open } = project()
    mkdirSync(home)
    writeFileSync(join(home, 'terminal-sessions'), 'A file where a folder should be')
    const terminal = await open([], pane(1))
    await ask(terminal, 'Hello there')
    expect(all(terminal)).toMatch(/could not be noted[\s\S]*You said/)
    // Nothing was written across a frame, which would leave a part of it standing.
    expect(all(terminal)).not.toContain('working')
  })

  test('--session begins in a file and goes on in the same file', async () => {
    const { cwd, home, open } = project()
    const first = await open(['--session', 'talk.jsonl'])
    await ask(first, 'In a file')
    const farewell = await quit(first)
    expect(farewell).toMatch(/Go on: treeline --session \S*talk\.jsonl/)
    const second = await open(['--session', 'talk.jsonl'])
    expect(all(second)).toContain('In a file')
    await ask(second, 'Still there')
    await quit(second)
    expect(readdirSync(cwd)).toContain('talk.jsonl')
    expect(existsSync(join(home, 'sessions'))).toBe(false)
    await using store = await openFileStore({ home })
    await using session = await store.openPath(join(cwd, 'talk.jsonl'))
    const texts: string[] = []
    for await (const entry of session.entries()) texts.push(JSON.stringify(entry))
    expect(texts.join('\n')).toMatch(/In a file[\s\S]*Still there/)
  })

  test('--no-session leaves no file behind, no prompt either', async () => {
    const { home, open } = project()
    const terminal = await open(['--no-session'])
    await ask(terminal, 'A secret')
    const farewell = await quit(terminal)
    expect(farewell).not.toContain('Go on:')
    expect(filesIn(home)).toEqual([])
  })

  test('--fork goes on with a copy', async () => {
    const { cwd, home, open } = project()
    const original = await plant(home, cwd, 'The original')
    const terminal = await open(['--fork', original.id])
    expect(all(terminal)).toContain('The original')
    await ask(terminal, 'The copy')
    await using store = await openFileStore({ home })
    expect((await store.list()).map(({ parentSession }) => parentSession).sort()).toEqual([original.id, undefined])
    expect(readFileSync(original.path, 'utf8')).not.toContain('The copy')
  })

  test('--model and --thinking hold in a session that had others, and --cwd says where', async () => {
    const server = await startModelServer()
    onTestFinished(() => server.close())
    server.reply(() => ({ text: 'Served.' }))
    const { home, open } = project({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` })
    const other = tempFolder()
    const { id } = await plant(home, other, 'With the demo')
    const options = ['--model', 'openai/gpt-6-luna', '--thinking', 'high', '--cwd', other]
    const terminal = await open(['-r', id, ...options, 'And', 'now?'])
    await terminal.waitFor('Served.')
    await terminal.waitFor(/openai\/gpt-6-luna.*thinks high/)
    expect(JSON.stringify(server.requests.map(({ body }) => body))).toMatch(
      /high[\s\S]*With the demo|With the demo[\s\S]*high/,
    )
    expect((await readKept(home)).text).toContain('And now?')
  })
})

describe('what is given wrongly', () => {
  test('is told with its code, in a line, before anything is drawn or kept', async () => {
    const { cwd, home } = project()
    const wrong: readonly (readonly [number, RegExp, ...string[]])[] = [
      [2, /nope/, '--model', 'nope/x'],
      [5, /key/i, '--model', 'openai/gpt-6-luna'],
      [2, /enormous/, '--thinking', 'enormous'],
      [2, /no folder/, '--cwd', 'nowhere'],
      [3, /ffffffff/, '-r', 'ffffffff'],
      [3, /ffffffff/, '--fork', 'ffffffff'],
      [2, /--continue and --fork/, '-c', '--fork', 'ffffffff'],
      [2, /boring/, '--mode', 'boring'],
    ]
    const check = async ([code, message, ...words]: (typeof wrong)[number]) => {
      const terminal = await openTerminal(words, { cwd, home })
      expect(await terminal.exit(), words.join(' ')).toBe(code)
      const shown = terminal.screen().join('\n')
      expect(shown, words.join(' ')).toMatch(message)
      expect(shown).toMatch(/^treeline: /m)
      expect(shown).not.toMatch(/^ +at /m)
      expect(terminal.output, words.join(' ')).not.toContain('\u001b[?')
    }
    await Promise.all(wrong.map(check))
    expect(filesIn(join(home, 'sessions'))).toEqual([])
  })
})

describe('the end', () => {
  test('says what is kept and how to go on; the command works when it is pasted', async () => {
    const { home, open } = project()
    const there = join(tempFolder(), 'a project')
    mkdirSync(there)
    const first = await open(['--cwd', there])
    await ask(first, 'Remember the kettle')
    await first.waitFor(/Remember the kettle[\s\S]*demo\/demo/)
    const farewell = await quit(first)
    const id = (await readKept(home)).id.slice(-8)
    expect(farewell).toMatch(/Kept: “Remember the kettle” · [0-9a-f]{8} · [\d.,k]+ tokens/)
    const [, command] = /Go on: (treeline [\s\S]*?)\s*$/.exec(farewell) ?? []
    expect(command?.replaceAll('\n', '')).toBe(`treeline -r ${id} --cwd '${there}'`)
    const second = await open(['-r', id, '--cwd', there])
    expect(all(second)).toContain('Remember the kettle')
    // Before the first prompt, where the next one will begin another branch.
    await second.press('esc', 'esc')
    await second.waitFor('Remember the kettle')
    await second.press('enter')
    await second.waitFor((screen) => inEditor(screen) === 'Remember the kettle')
    await second.press('ctrl+u')
    await second.waitFor(isIdle)
    expect(await quit(second)).toContain(`Go on: treeline -r ${id}`)
  })
})

describe('the first time', () => {
  test('there is a lesson: what to type, where it is kept, how to get real answers; later there is not', async () => {
    const { home, open } = project()
    const first = await open()
    await first.waitFor('Type something and press Enter')
    await first.waitFor(/Esc Esc[\s\S]*\/tree[\s\S]*\/help/)
    await first.waitFor('treeline auth set anthropic')
    await first.waitFor((screen) => screen.join('').includes(home))
    await ask(first, 'Hello')
    await quit(first)
    const second = await open()
    await second.waitFor('Treeline keeps this conversation as a tree.')
    await second.waitFor(isIdle)
    expect(all(second)).not.toContain('Type something and press Enter')
    expect(await quit(second), 'of a chat in which nothing was said there is nothing to say').not.toContain('Go on:')
  })
})
