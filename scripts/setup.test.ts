import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

// Real npm on a package without dependencies, which needs no network.
function makeFolder(version = '1.0.0'): string {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'it', version: '1.0.0' }))
  writeLockfile(folder, version)
  return folder
}

function writeLockfile(folder: string, version: string): void {
  const lockfile = { name: 'it', version, lockfileVersion: 3, packages: { '': { name: 'it', version } } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
}

async function setUp(folder: string, env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'setup.mjs'), folder], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), exit])
  return { stdout, stderr, code }
}

const silent = { stdout: '', stderr: '', code: 0 }

test('setup installs once, is silent after, and installs again when the lockfile changes', async () => {
  const folder = makeFolder()
  const first = await setUp(folder)
  expect(first.stderr).toMatch(/^Installing .+\n$/)
  expect(first.code).toBe(0)
  expect(await setUp(folder)).toEqual(silent)

  writeFileSync(join(folder, 'node_modules', 'left-over'), '')
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true })
  writeLockfile(folder, '1.0.1')
  expect((await setUp(folder)).stderr).toContain('Installing')
  expect(existsSync(join(folder, 'node_modules', 'left-over'))).toBe(false)
  expect(existsSync(join(folder, '.setup-lock'))).toBe(false)
})

test('setup does not repeat what npm install has just done', async () => {
  const folder = makeFolder()
  await setUp(folder)
  const lockfile = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const packages = { 'node_modules/a': { version: '1.0.0' } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }))
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
  expect(await setUp(folder)).toEqual(silent)
})

test('setups that start together install once', async () => {
  const folder = makeFolder()
  const all = await Promise.all(Array.from({ length: 4 }, () => setUp(folder)))
  expect(all.map((one) => one.code)).toEqual([0, 0, 0, 0])
  expect(all.filter((one) => one.stderr !== '')).toHaveLength(1)
})

test('a lock left by a killed setup is taken over', async () => {
  const folder = makeFolder()
  const dead = spawn(process.execPath, ['--version'])
  await new Promise((done) => dead.once('exit', done))
  symlinkSync(String(dead.pid), join(folder, '.setup-lock'))
  expect((await setUp(folder)).code).toBe(0)
})

test('when npm fails its message is passed on and the exit code is not 0 (R2)', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { 'not-in-the-lockfile': '1.0.0' } }))
  const failed = await setUp(folder)
  expect(failed.stderr).toContain('package.json and package-lock.json')
  expect(failed.stderr).toContain('setup: npm ci failed')
  expect(failed.code).toBe(1)

  expect(await setUp(folder, { PATH: '' })).toMatchObject({
    stderr: expect.stringContaining('npm could not be'),
    code: 1,
  })
})
