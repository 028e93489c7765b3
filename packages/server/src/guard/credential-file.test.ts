import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBackup } from '@treeline/store'
import { expect, test } from 'vitest'
import { makeTempCredentials, type TempCredentials } from '../testing/temp-credentials.ts'
import { openCredentialFile } from './credential-file.ts'
import type { Credentials } from './credentials.ts'

const CHANGE_TOKENS = new URL('../testing/change-tokens.ts', import.meta.url)

async function changeElsewhere(
  at: TempCredentials,
  what: 'create' | 'revoke',
  names: readonly string[],
): Promise<void> {
  const args = [fileURLToPath(CHANGE_TOKENS), at.home.paths.home, what, ...names]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await once(child, 'exit')).toEqual([0, null])
}

function nextRevoked(credentials: Credentials): Promise<string> {
  return new Promise((resolve) => {
    const stop = credentials.onRevoked((id) => {
      stop()
      resolve(id)
    })
  })
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('K5 the file is 0600 in a folder 0700 whatever the umask, and nothing else is left there', async () => {
  using at = makeTempCredentials()
  const umask = process.umask(0)
  try {
    const credentials = at.open()
    await credentials.createToken({ name: 'a', scope: 'read' })
    await credentials.createToken({ name: 'b', scope: 'read' })
  } finally {
    process.umask(umask)
  }
  expect([modeOf(at.file), modeOf(dirname(at.file))]).toEqual(['600', '700'])
  expect(readdirSync(dirname(at.file))).toEqual(['credentials.json'])
})

test('a backup holds no credentials', async () => {
  using at = makeTempCredentials()
  await at.open().createToken({ name: 'a', scope: 'read' })
  await createBackup(at.home, join(at.above, 'backup'))
  const names = readdirSync(join(at.above, 'backup'), { recursive: true }).map(String)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => name.includes('credentials'))).toEqual([])
})

test('of tokens made by several processes at once none is lost', { timeout: 60_000 }, async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const names = ['a', 'b', 'c'].map((letter) => Array.from({ length: 15 }, (_, index) => `${letter}${index}`))
  const own = Array.from({ length: 15 }, (_, index) => `own${index}`)
  await Promise.all([
    ...names.map((some) => changeElsewhere(at, 'create', some)),
    ...own.map((name) => credentials.createToken({ name, scope: 'read' })),
  ])
  const listed = credentials.list().map(({ name }) => name)
  expect(listed.sort()).toEqual([...names.flat(), ...own].sort())
  expect(at.failures).toEqual([])
})

test('what another process revokes counts no longer and is told of, once, with nobody asking', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'read' })
  const { credentialId } = credentials.findToken(secret)!
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))
  const revoked = nextRevoked(credentials)
  await changeElsewhere(at, 'revoke', ['ci'])
  const goneMs = performance.now()
  expect(await revoked).toBe(credentialId)
  expect(performance.now() - goneMs).toBeLessThan(1_000)
  expect(credentials.findToken(secret)).toBeUndefined()
  await credentials.createToken({ name: 'next', scope: 'read' })
  expect(told).toEqual([credentialId])
})

test('a revocation elsewhere counts with the very next request', async () => {
  using at = makeTempCredentials()
  const [here, elsewhere] = [at.open(), at.open()]
  for (let round = 0; round < 20; round++) {
    const secret = await elsewhere.createToken({ name: 'ci', scope: 'read' })
    expect(here.findToken(secret)?.name).toBe('ci')
    await elsewhere.revoke('ci')
    expect(here.findToken(secret)).toBeUndefined()
  }
})

test('one that was made elsewhere, used here and revoked elsewhere is told of, however soon', async () => {
  using at = makeTempCredentials()
  const [here, elsewhere] = [at.open(), at.open()]
  const revoked = nextRevoked(here)
  const secret = await elsewhere.createToken({ name: 'ci', scope: 'read' })
  const { credentialId } = here.findToken(secret)!
  await elsewhere.revoke('ci')
  expect(await revoked).toBe(credentialId)
})

test('a file replaced by one of the same size and times is noticed', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'aa', scope: 'read' })
  const past = new Date(Date.now() - 60_000)
  utimesSync(at.file, past, past)
  expect(credentials.findToken(secret)?.name).toBe('aa')
  const other = join(at.above, 'other')
  writeFileSync(other, readFileSync(at.file, 'utf8').replace('"aa"', '"bb"'), { mode: 0o600 })
  utimesSync(other, past, past)
  renameSync(other, at.file)
  expect(credentials.findToken(secret)?.name).toBe('bb')
})

test('one whose scope was changed is told of, since what it opened had the old one', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'admin' })
  const { credentialId } = credentials.findToken(secret)!
  const revoked = nextRevoked(credentials)
  writeFileSync(at.file, readFileSync(at.file, 'utf8').replace('"admin"', '"read"'))
  expect(await revoked).toBe(credentialId)
  expect(credentials.findToken(secret)?.scope).toBe('read')
})

test('without the file nobody counts', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'admin' })
  rmSync(at.file)
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(credentials.list()).toEqual([])
  expect(at.failures).toEqual([])
})

type Edit = (text: string) => string
const damages: readonly (readonly [string, Edit])[] = [
  ['empty', () => ''],
  ['cut short', (text) => text.slice(0, -20)],
  ['no JSON', () => 'sk-oops'],
  ['of another version', (text) => text.replace('"version": 1', '"version": 2')],
  ['with a field we do not know', (text) => text.replace('"kind"', '"only": "reading", "kind"')],
  ['with a scope we do not know', (text) => text.replace('"admin"', '"all"')],
  ['with a name that is no id', (text) => text.replace('"ci"', '"../ci"')],
  ['with a hash that is none', (text) => text.replace(/"hash": "./, '"hash": "')],
  ['with an end that is no time', (text) => text.replace(/"expiresAt": "[^"]*"/, '"expiresAt": "never"')],
  ['with a cookie that has no end', (text) => text.replace(/,\s*"expiresAt": "[^"]*"/, '')],
  ['with one id twice', (text) => text.replaceAll(/"id": "[^"]*"/g, '"id": "0123456789abcdef"')],
  ['with one name twice', (text) => text.replace('"name": "ci2"', '"name": "ci"')],
  ['too large', (text) => text + ' '.repeat(1024 * 1024)],
]

test.each(damages)('a file that is %s lets nobody in, says so, and is not written over', async (_, edit) => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'admin' })
  await credentials.createToken({ name: 'ci2', scope: 'read' })
  const cookie = (await credentials.redeem(credentials.newCode()))!
  const text = readFileSync(at.file, 'utf8')
  const damaged = edit(text)
  expect(damaged).not.toBe(text)
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))

  writeFileSync(at.file, damaged)
  const refused = expect.objectContaining({ code: 'damaged', message: expect.stringContaining(at.file) })
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(credentials.findCookie(cookie)).toBeUndefined()
  expect(told).toHaveLength(3)
  expect(at.failures).toEqual([refused])
  expect(() => credentials.list()).toThrow(refused)
  expect(() => at.open()).toThrow(refused)
  await expect(credentials.createToken({ name: 'new', scope: 'read' })).rejects.toEqual(refused)
  await expect(credentials.revoke('ci')).rejects.toEqual(refused)
  await expect(credentials.redeem(credentials.newCode())).rejects.toEqual(refused)
  expect(readFileSync(at.file, 'utf8')).toBe(damaged)
  expect(JSON.stringify(at.failures[0]!.message)).not.toMatch(/sk-oops|[0-9a-f]{64}/)

  writeFileSync(at.file, text)
  expect(credentials.findToken(secret)?.name).toBe('ci')
  expect(at.failures).toHaveLength(1)
})

test('there is an end to how many may ask, and it leaves the file readable', async () => {
  using at = makeTempCredentials()
  const file = openCredentialFile(at.home)
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'token' as const,
      id: index.toString(16).padStart(16, '0'),
      name: `${'n'.repeat(120)}${index}`,
      scope: 'read' as const,
      hash: index.toString(16).padStart(64, '0'),
      createdAt: '2026-01-01T00:00:00.000Z',
    }))
  await file.change(() => many(1_000))
  await expect(file.change(() => many(1_001))).rejects.toMatchObject({ code: 'validation_failed' })
  expect(file.read()).toHaveLength(1_000)
})
