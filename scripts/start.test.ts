import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { findPlace, findProgram, stampOf } from './program.ts'

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function spawnStart(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const home = tempFolder()
  const { CI: _, ...inherited } = process.env
  const env = { ...inherited, HOME: home, TREELINE_HOME: join(home, 'treeline'), INIT_CWD: home, ...more }
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'start.ts'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  return { child, exit, home }
}

async function start(words: readonly string[], more?: Readonly<Record<string, string>>) {
  const { child, exit, home } = spawnStart(words, more)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), exit])
  return { stdout, stderr, code, home }
}

test('in CI npm start checks itself, leaves nothing behind, and ends', async () => {
  const { stdout, stderr, code, home } = await start([], { CI: 'true' })
  expect(code).toBe(0)
  expect(stderr.replace(/^Building Treeline .*\n/, '')).toBe('')
  expect(stdout).toMatch(/✓ nobody gets in[\s\S]*✓ “Sample: [\s\S]*That was a check/)
  expect(stdout).not.toContain('✗')
  expect(readdirSync(home)).toEqual([])
})

test('without a terminal npm start serves until it is told to stop', async () => {
  const { child, exit } = spawnStart([])
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for await (const bytes of child.stdout!) {
    printed += bytes
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\/login\?code=[\w-]{43}\n)/.exec(printed) ?? []
    if (url === undefined) continue
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    child.kill('SIGTERM')
    break
  }
  expect(await exit).toBe(0)
})

test('words behind npm start -- go to the program, in the folder where the user is', async () => {
  const { stdout, code, home } = await start(['-p', '--json', 'Hello there'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ reason: 'stop', path: expect.stringContaining(home) })
})

test('the program is built once for its sources; of earlier builds a few stay', () => {
  const builds = tempFolder()
  for (const name of ['1', '2', '3', '4']) {
    mkdirSync(join(builds, name))
    utimesSync(join(builds, name), Number(name), Number(name))
  }
  const said: string[] = []
  const program = findProgram(builds, (message) => said.push(message))
  expect(said).toEqual([expect.stringContaining('Building')])
  expect(findProgram(builds, (message) => said.push(message))).toBe(program)
  expect(said).toHaveLength(1)
  expect(readdirSync(builds)).toHaveLength(3)
  expect(readdirSync(builds)).not.toContain('2')
})

test('sources that came back from before, or are gone, are other sources', () => {
  const root = tempFolder()
  const folder = join(root, 'packages/cli/src')
  const file = join(folder, 'run.ts')
  mkdirSync(folder, { recursive: true })
  const write = (text: string, second: number) => {
    writeFileSync(file, text)
    utimesSync(file, second, second)
    utimesSync(folder, 1, 1)
  }
  write('new', 200)
  const first = stampOf(root)
  expect(stampOf(root)).toBe(first)
  write('before', 100)
  const second = stampOf(root)
  write('new', 200)
  expect(stampOf(root)).toBe(first)
  rmSync(file)
  expect(new Set([first, second, stampOf(root)]).size).toBe(3)
})

test('where nothing can be kept it is built in a folder of its own', () => {
  const folder = tempFolder()
  expect(findPlace(join(folder, 'builds'))).toBe(join(folder, 'builds'))
  writeFileSync(join(folder, 'file'), '')
  const place = findPlace(join(folder, 'file/builds'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  expect(readdirSync(place)).toEqual([])
})
