import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from './program.ts'

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
  for (const name of ['1', '2', '3', '4']) mkdirSync(join(builds, name))
  const said: string[] = []
  const program = findProgram(builds, (message) => said.push(message))
  expect(said).toEqual([expect.stringContaining('Building')])
  expect(findProgram(builds, (message) => said.push(message))).toBe(program)
  expect(said).toHaveLength(1)
  expect(readdirSync(builds)).toHaveLength(3)
  expect(readdirSync(builds)).not.toContain('2')
})
