import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionStorage } from '@treeline/store'
import { expect, test } from 'vitest'
import { makeTempCredentials } from '../testing/temp-credentials.ts'
import { hashSecret } from './secret.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('a token counts as what it was made for, and for whoever opens the home later', async () => {
  using at = makeTempCredentials()
  const secret = await at.open().createToken({ name: 'ci', scope: 'write' })
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  const later = at.open()
  expect(later.findToken(secret)).toMatchObject({ name: 'ci', scope: 'write', isBrowser: false })
  expect(later.findCookie(secret)).toBeUndefined()
})

test('secrets are kept as hashes only, and neither is listed', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const code = credentials.newCode()
  const secrets = [await credentials.createToken({ name: 'ci', scope: 'read' }), (await credentials.redeem(code))!]
  const unused = credentials.newCode()
  const kept = readFileSync(at.file, 'utf8')
  const listed = JSON.stringify(credentials.list())
  for (const secret of secrets) {
    expect(kept).toContain(hashSecret(secret))
    for (const text of [kept, listed]) expect(text).not.toContain(secret)
    expect(listed).not.toContain(hashSecret(secret).slice(0, 8))
  }
  for (const one of [code, unused]) for (const text of readAll(at.above)) expect(text).not.toContain(one)
  for (const text of readAll(at.above)) expect(text).not.toContain(hashSecret(unused))
  expect(credentials.list()).toEqual([
    { kind: 'token', name: 'ci', scope: 'read', createdAt: '2026-01-01T00:00:00.000Z' },
    {
      kind: 'cookie',
      name: 'browser',
      scope: 'admin',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-31T00:00:00.000Z',
    },
  ])
})

test.each(['', '.hidden', '../up', 'a/b', 'a b', 'a\nb', '\u001b[31m', 'x'.repeat(129), 'browser'])(
  'no token is named %j',
  async (name) => {
    using at = makeTempCredentials()
    const credentials = at.open()
    const refused = expect.objectContaining({
      code: 'validation_failed',
      message: expect.not.stringContaining('\u001b'),
    })
    await expect(credentials.createToken({ name, scope: 'read' })).rejects.toEqual(refused)
    expect(credentials.list()).toEqual([])
  },
)

test('a second token of one name is refused, and the first still counts', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'read' })
  const second = credentials.createToken({ name: 'ci', scope: 'admin' })
  await expect(second).rejects.toMatchObject({ code: 'id_in_use' })
  expect(credentials.findToken(secret)?.scope).toBe('read')
})

test('a revoked token counts no longer, is told of once and at once, and its name is free', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const kept = await credentials.createToken({ name: 'other', scope: 'read' })
  const secret = await credentials.createToken({ name: 'ci', scope: 'read' })
  const { credentialId } = credentials.findToken(secret)!
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))
  expect(await credentials.revoke('ci')).toBe(true)
  expect(told).toEqual([credentialId])
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(credentials.findToken(kept)?.name).toBe('other')
  expect(await credentials.revoke('ci')).toBe(false)
  const next = await credentials.createToken({ name: 'ci', scope: 'read' })
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(credentials.findToken(next)!.credentialId).not.toBe(credentialId)
  expect(told).toEqual([credentialId])
})

test('to revoke the browser logs every browser out, and no token', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const token = await credentials.createToken({ name: 'ci', scope: 'read' })
  const cookies = [await credentials.redeem(credentials.newCode()), await credentials.redeem(credentials.newCode())]
  const ids = cookies.map((cookie) => credentials.findCookie(cookie!)!.credentialId)
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))
  expect(await credentials.revoke('browser')).toBe(true)
  expect(told.sort()).toEqual(ids.sort())
  expect(cookies.map((cookie) => credentials.findCookie(cookie!))).toEqual([undefined, undefined])
  expect(credentials.findToken(token)?.name).toBe('ci')
})

test('who stopped listening is told nothing', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  await credentials.createToken({ name: 'ci', scope: 'read' })
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))()
  await credentials.revoke('ci')
  expect(told).toEqual([])
})

test('a code opens the door once, also when two come with it at the same time', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const code = credentials.newCode()
  const cookies = await Promise.all([credentials.redeem(code), credentials.redeem(code), credentials.redeem(code)])
  expect(cookies.filter((cookie) => cookie !== undefined)).toHaveLength(1)
  expect(await credentials.redeem(code)).toBeUndefined()
  expect(credentials.findCookie(code)).toBeUndefined()
})

test('a code counts for ten minutes', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const [early, late] = [credentials.newCode(), credentials.newCode()]
  at.clock.nowMs += 10 * MINUTE_MS - 1
  expect(await credentials.redeem(early)).toBeDefined()
  at.clock.nowMs += 1
  expect(await credentials.redeem(late)).toBeUndefined()
})

test('wrong codes cost the right one nothing, and codes are long and never the same', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const code = credentials.newCode()
  for (const wrong of [
    '',
    'x',
    code.slice(1),
    `${code}A`,
    ` ${code}`,
    code.toLowerCase(),
    '__proto__',
    'A'.repeat(43),
  ]) {
    expect(await credentials.redeem(wrong)).toBeUndefined()
  }
  expect(await credentials.redeem(code)).toBeDefined()
  const codes = Array.from({ length: 100 }, () => credentials.newCode())
  expect(new Set(codes).size).toBe(100)
  for (const one of codes) expect(Buffer.from(one, 'base64url')).toHaveLength(32)
})

test('a code does not count at another server, nor after a restart', async () => {
  using at = makeTempCredentials()
  const code = at.open().newCode()
  expect(await at.open().redeem(code)).toBeUndefined()
})

test('a cookie counts for thirty days; its end is told once, and the file forgets it', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const cookie = (await credentials.redeem(credentials.newCode()))!
  const { credentialId } = credentials.findCookie(cookie)!
  const ended = new Promise<string>((resolve) => credentials.onRevoked(resolve))
  const told: string[] = []
  credentials.onRevoked((id) => told.push(id))
  at.clock.nowMs += 30 * DAY_MS - 1
  expect(credentials.findCookie(cookie)).toMatchObject({ name: 'browser', isBrowser: true })
  expect(told).toEqual([])
  at.clock.nowMs += 1
  // Nobody asks for anything meanwhile.
  expect(await ended).toBe(credentialId)
  expect(credentials.findCookie(cookie)).toBeUndefined()
  expect(credentials.list()).toEqual([])
  await credentials.createToken({ name: 'ci', scope: 'read' })
  expect(readFileSync(at.file, 'utf8')).not.toContain(credentialId)
  expect(told).toEqual([credentialId])
})

test('R3 on a full disk nothing changes, and the code still counts afterwards', async () => {
  let isFull = false
  function fill(storage: SessionStorage): SessionStorage {
    const writeTextSync = (path: string, text: string) => {
      if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      storage.writeTextSync(path, text)
    }
    return { ...storage, writeTextSync }
  }
  using at = makeTempCredentials(fill)
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'read' })
  const before = readFileSync(at.file, 'utf8')
  const code = credentials.newCode()
  isFull = true
  await expect(credentials.redeem(code)).rejects.toMatchObject({ code: 'storage_full' })
  await expect(credentials.createToken({ name: 'b', scope: 'read' })).rejects.toMatchObject({ code: 'storage_full' })
  await expect(credentials.revoke('ci')).rejects.toMatchObject({ code: 'storage_full' })
  expect(readFileSync(at.file, 'utf8')).toBe(before)
  expect(credentials.findToken(secret)?.name).toBe('ci')
  isFull = false
  expect(await credentials.redeem(code)).toBeDefined()
})

function readAll(dir: string): string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((node) => node.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
}
