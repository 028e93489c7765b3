import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startModelServer } from '@treeline/agent/testing'
import { openFileStore } from '@treeline/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CHAT_OPTIONS, splitWords } from '../args/split-words.ts'
import { builtProgram } from '../testing/built-program.ts'
import { type CallOptions, callTreeline } from '../testing/call-treeline.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'

const QUICK = { TREELINE_DEMO_DELAY_MS: '0' }

/** A project of its own, and `treeline` called in it. */
function project(env: Readonly<Record<string, string>> = QUICK) {
  const cwd = tempFolder()
  const home = join(tempFolder(), 'home')
  const call = (words: readonly string[], options: CallOptions = {}) =>
    callTreeline(words, { cwd, home, ...options, env: { ...env, ...options.env } })
  return { cwd, home, call }
}

describe('one question', () => {
  test('is answered on standard output and kept as a session', async () => {
    const { call } = project()
    const ran = await call(['-p', 'Hello', 'there'])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('You said: “Hello there”')
    expect(ran.stderr).toBe('')
    const { sessions } = (await call(['ls', '--json'])).json()
    expect(sessions).toMatchObject([{ messages: 2 }])
    expect((await call(['history', '--json'])).stdout).toContain('Hello there')
  })

  test('the name of the command may stand or not, options before or behind', async () => {
    const { call } = project()
    for (const words of [
      ['chat', '-p', 'Hi there'],
      ['Hi there', '-p'],
      ['--print', 'Hi there'],
      ['-p', 'Hi there'],
    ]) {
      expect((await call(words)).stdout, words.join(' ')).toContain('“Hi there”')
    }
    expect(await call(['hi', '-p'])).toMatchObject({ code: 0 })
    expect((await call(['lss'])).stderr).toContain('Did you mean `treeline ls`?')
  })

  test('what comes by standard input is part of it', async () => {
    const { call } = project()
    const ran = await call(['-p', '--json', '--no-session', 'Review this'], { stdin: 'a diff\n' })
    expect(ran.json().text).toContain('Review this')
    expect((await call(['-p', '--json', '--no-session'], { stdin: 'only this' })).json().text).toContain('only this')
    expect(await call(['-p'])).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no prompt') })
  })

  test('without -p it says what to do', async () => {
    const { call } = project()
    expect(await call(['why is that so'])).toMatchObject({ code: 2, stderr: expect.stringContaining('treeline -p') })
  })

  test('what is not to be kept leaves nothing behind', async () => {
    const { call, home } = project()
    const ran = await call(['-p', '--no-session', '--json', 'Hi'])
    expect(ran.json()).toMatchObject({ path: null, reason: 'stop' })
    expect(readdirSync(home)).not.toContain('sessions')
  })
})

test('every option of the chat may lead', async () => {
  const { command } = await import('./chat.ts')
  expect([...CHAT_OPTIONS].sort()).toEqual(Object.keys(command.options).sort())
  for (const { short } of Object.values(command.options)) {
    if (short !== undefined) expect(splitWords([`-${short}`]).command).toBe('chat')
  }
})

describe('how it is told', () => {
  test('json: one document with the last answer, its cost and the tools', async () => {
    const { cwd, call } = project()
    writeFileSync(join(cwd, 'a.txt'), 'alpha')
    const result = (await call(['-p', '--output', 'json', 'read a.txt'])).json()
    expect(result).toMatchObject({
      model: 'demo/demo',
      reason: 'stop',
      error: null,
      tools: [{ name: 'read', isError: false }],
    })
    expect(result.nodeIds).toHaveLength(2)
    expect(result.text).toContain('alpha')
    expect(result.usage.output).toBeGreaterThan(0)
  })

  test('stream-json: every event is a line, the session first and the result last', async () => {
    const { call } = project()
    const ran = await call(['-p', '--output', 'stream-json', 'Hello'])
    const lines = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'session', path: expect.any(String) })
    expect(lines.at(-1)).toMatchObject({ type: 'result', reason: 'stop' })
    const said = lines.filter(({ type }) => type === 'delta').map(({ text }) => text)
    expect(said.join('')).toBe(lines.at(-1).text)
  })

  test('K4 what a model says drives no terminal, in any form', async () => {
    const server = await startModelServer()
    onTestFinished(() => server.close())
    server.reply({ text: 'a\u001b]52;c;aGk=\u0007b\u009b31mc\u202ed' })
    server.reply({ text: 'a\u001b]52;c;aGk=\u0007b\u009b31mc\u202ed' })
    const { call } = project({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` })
    for (const form of [[], ['--output', 'json']]) {
      const { stdout } = await call(['-p', '--model', 'openai/gpt-6-luna', ...form, 'Hi'], {
        isTty: form.length === 0,
        stdin: '',
      })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })
})

describe('which session', () => {
  test('-c goes on with the latest of the project, -r with the one named', async () => {
    const { call } = project()
    const first = (await call(['-p', '--json', 'First'])).json()
    const second = (await call(['-p', '--json', 'Second'])).json()
    expect((await call(['-p', '-c', '--json', 'Third'])).json().sessionId).toBe(second.sessionId)
    const resumed = (await call(['-p', '-r', first.sessionId.slice(-8), '--json', 'Fourth'])).json()
    expect(resumed.sessionId).toBe(first.sessionId)
    expect(resumed.text).toContain('3 messages')
  })

  test('--fork leaves the original as it is', async () => {
    const { call, home } = project()
    const first = (await call(['-p', '--json', 'First'])).json()
    const forked = (await call(['-p', '--fork', first.sessionId, '--json', 'Second'])).json()
    expect(forked.sessionId).not.toBe(first.sessionId)
    await using store = await openFileStore({ home })
    await using original = await store.open(first.sessionId)
    await using fork = await store.open(forked.sessionId)
    expect([original.leafId, fork.header.parentSession]).toEqual([first.leafId, first.sessionId])
  })

  test('one of another project is not taken over unasked', async () => {
    const { call } = project()
    const other = tempFolder()
    const first = (await call(['-p', '--json', 'First'])).json()
    const refused = await call(['-p', '-r', first.sessionId, 'Second'], { cwd: other })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--fork') })
  })

  test('--session begins a session where no file is', async () => {
    const { cwd, call } = project()
    const first = (await call(['-p', '--session', 'chat.jsonl', '--json', 'First'])).json()
    expect(first.path).toBe(join(cwd, 'chat.jsonl'))
    expect(readdirSync(cwd)).toContain('chat.jsonl')
  })

  test('-c goes on in the file that this terminal had last, wherever it is', async () => {
    const { call } = project({ ...QUICK, TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: '%1' })
    await call(['-p', 'In the home'])
    const first = (await call(['-p', '--session', 'chat.jsonl', '--json', 'First'])).json()
    const second = (await call(['-p', '-c', '--json', 'Second'])).json()
    expect(second).toMatchObject({ path: first.path, reason: 'stop', error: null })
    expect(second.text).toContain('3 messages')
  })

  test('two of them are refused', async () => {
    const { call } = project()
    const ran = await call(['-p', '-c', '--no-session', 'Hi'])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--continue and --no-session') })
  })
})

describe('what goes wrong', () => {
  test('a model that is none, and one without a key, are told by their codes; the prompt is kept', async () => {
    const { call } = project()
    expect(await call(['-p', '--model', 'nope/x', 'Hi'])).toMatchObject({ code: 2 })
    expect(await call(['-p', '--model', 'openai/gpt-6-luna', 'Hi'])).toMatchObject({ code: 5 })
    expect((await call(['ls', '--json'])).json().sessions).toHaveLength(2)
  })

  test('a provider that refuses ends with its code and what it said', async () => {
    const server = await startModelServer()
    onTestFinished(() => server.close())
    server.reply({ fault: { type: 'unauthorized' } })
    const { call } = project({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` })
    const ran = await call(['-p', '--model', 'openai/gpt-6-luna', 'Hi'])
    expect(ran.code).toBe(5)
    expect(ran.stderr).not.toContain('sk-test-0123456789')
  })

  test('a tool that needs an approval is denied where nobody can be asked, and runs with --mode yolo', async () => {
    const { cwd, call } = project()
    const denied = await call(['-p', 'run `touch made.txt`'])
    expect(denied.code).toBe(0)
    expect(readdirSync(cwd)).not.toContain('made.txt')
    await call(['-p', '--mode', 'yolo', 'run `touch made.txt`'])
    expect(readdirSync(cwd)).toContain('made.txt')
  })
})

describe('the built program', () => {
  test('answers, and finds the thread its tools search with', async () => {
    const cwd = tempFolder()
    writeFileSync(join(cwd, 'a.txt'), 'a needle here')
    const home = join(tempFolder(), 'home')
    const ran = await runTreeline(['-p', '--output', 'json', 'search for needle'], { cwd, home, env: QUICK })
    expect(ran.stderr).toBe('')
    expect(ran.json()).toMatchObject({ reason: 'stop', tools: [{ name: 'grep', isError: false }] })
    expect(ran.json().text).toContain('needle')
  })

  test('P3 killed in the middle of an answer, -c goes on: what was said is kept, and the session is whole', async () => {
    const cwd = tempFolder()
    const home = join(cwd, 'home')
    const env = { PATH: process.env.PATH ?? '', HOME: cwd, TREELINE_HOME: home, TREELINE_DEMO_DELAY_MS: '1' }
    const words = ['-p', '--output', 'stream-json', 'say 5000 words']
    const child = spawn(process.execPath, [await builtProgram(), ...words], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    // Told as it comes, also into a pipe. Kept every 8 KiB or 2 s, whichever comes first: of so much more than 8 KiB are.
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line)
      if (event.type === 'delta' && event.offset > 18_000) break
    }
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    const next = await runTreeline(['-p', '-c', '--output', 'json', 'Go on'], { cwd, home, env: QUICK })
    expect(next.stderr).toContain('that a crash cut off')
    expect(next.json()).toMatchObject({ reason: 'stop' })
    await using store = await openFileStore({ home })
    await using session = await store.open(next.json().sessionId)
    const texts: string[] = []
    for await (const entry of session.entries()) texts.push(JSON.stringify(entry))
    const interrupted = texts.filter((text) => text.includes('"isInterrupted":true'))
    expect(interrupted).toHaveLength(1)
    expect(interrupted[0]!.length).toBeGreaterThan(8_192)
    expect((await session.line()).nodes.filter((node) => node.in && node.repairs !== undefined)).toEqual([])
  })
})
