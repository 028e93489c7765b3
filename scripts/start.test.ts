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

async function start(...words: string[]) {
  const home = tempFolder()
  const env = { ...process.env, HOME: home, TREELINE_HOME: join(home, 'treeline'), INIT_CWD: home }
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'start.ts'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), exit])
  return { stdout, stderr, code, home }
}

test('npm start without a terminal prints the tour, says how to get the chat, and ends well', async () => {
  const { stdout, stderr, code } = await start()
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toMatch(/1 of \d+ · [\s\S]*What comes next[\s\S]*In a terminal `npm start` is the chat/)
})

test('words behind npm start -- go to the program, in the folder where the user is', async () => {
  const { stdout, code, home } = await start('-p', '--json', 'Hello there')
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
