import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyScrub, checkHome, createBackup, type Home, openHome, planScrub } from '@treeline/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeys } from './keys.ts'
import { findProvider } from './providers.ts'

const SECRET = 'sk-live-0123456789abcdef'
const openai = findProvider('openai', { providers: {} }, {})
const google = findProvider('google', { providers: {} }, {})

let folder: string
let home: Home

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-keys-'))
  home = openHome({ home: join(folder, 'home') })
})

afterEach(() => {
  home[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

const authFile = () => home.paths.authFile
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

function plant(text: string, mode = 0o600): void {
  writeFileSync(authFile(), text)
  chmodSync(authFile(), mode)
}

async function failure(work: () => unknown): Promise<Error & { readonly code?: string }> {
  try {
    await work()
  } catch (error) {
    return error as Error & { readonly code?: string }
  }
  throw new Error('It did not fail.')
}

test('the environment wins, then its second name, then what is stored', async () => {
  const stored = createKeys({ env: {}, home })
  expect(stored.find(google)).toBeUndefined()
  await stored.set('google', 'stored-key')
  expect(stored.find(google)).toEqual({ key: 'stored-key', from: 'auth.json' })
  const env: Record<string, string> = { GEMINI_API_KEY: ' second-name\n' }
  expect(createKeys({ env, home }).find(google)).toEqual({ key: 'second-name', from: 'GEMINI_API_KEY' })
  env.GOOGLE_GENERATIVE_AI_API_KEY = 'first-name'
  expect(createKeys({ env, home }).find(google)?.key).toBe('first-name')
  env.GOOGLE_GENERATIVE_AI_API_KEY = '  '
  expect(createKeys({ env, home }).find(google)?.key).toBe('second-name')
})

test.each([0o000, 0o022, 0o077])('K5 a stored key is 0600 in a folder 0700 under umask %o', async (umask) => {
  const before = process.umask(umask)
  try {
    await createKeys({ env: {}, home }).set('openai', SECRET)
  } finally {
    process.umask(before)
  }
  expect([modeOf(authFile()), modeOf(home.paths.home)]).toEqual(['600', '700'])
})

test('a key that is set is used by the next call, and one that is removed is not; others stay', async () => {
  const keys = createKeys({ env: {}, home })
  await keys.set('openai', 'one')
  await keys.set('google', 'two')
  await keys.set('openai', 'three')
  expect(keys.find(openai)?.key).toBe('three')
  expect(await keys.remove('openai')).toBe(true)
  expect(await keys.remove('openai')).toBe(false)
  expect(keys.find(openai)).toBeUndefined()
  expect(keys.stored()).toEqual(['google'])
})

test('keys set at the same time are all kept', async () => {
  const keys = createKeys({ env: {}, home })
  const names = Array.from({ length: 20 }, (_, i) => `p${i}`)
  await Promise.all(names.map((name) => createKeys({ env: {}, home }).set(name, SECRET)))
  expect([...keys.stored()].sort()).toEqual(names.sort())
})

test('a file that others can read is not used, and closed when a key is set', async () => {
  plant(JSON.stringify({ openai: { type: 'api_key', key: SECRET } }), 0o640)
  const keys = createKeys({ env: {}, home })
  const error = await failure(() => keys.find(openai))
  expect(error).toMatchObject({ code: 'forbidden', message: expect.stringMatching(/mode 640.*chmod 600/) })
  // Where the file is not needed it does not stand in the way.
  expect(createKeys({ env: { OPENAI_API_KEY: 'env' }, home }).find(openai)?.key).toBe('env')
  await keys.set('google', 'other')
  expect(modeOf(authFile())).toBe('600')
  expect(keys.find(openai)?.key).toBe(SECRET)
})

test('a link is neither read nor written through (K3)', async () => {
  const target = join(folder, 'elsewhere.json')
  writeFileSync(target, '{}', { mode: 0o600 })
  symlinkSync(target, authFile())
  const keys = createKeys({ env: {}, home })
  expect(await failure(() => keys.find(openai))).toMatchObject({ code: 'forbidden' })
  expect(await failure(() => keys.set('openai', SECRET))).toMatchObject({ code: 'forbidden' })
  expect(readFileSync(target, 'utf8')).toBe('{}')
})

test.each([
  ['not JSON', `{"openai":{"type":"api_key","key":"${SECRET}"`],
  ['the key alone', SECRET],
  ['empty', ''],
  ['an array', `[{"key":"${SECRET}"}]`],
  ['null', 'null'],
  ['a key that is no object', `{"openai":"${SECRET}"}`],
  ['something deep', `{"openai":{"type":"api_key","key":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
  ['1 MB', JSON.stringify({ openai: { type: 'api_key', key: SECRET.padEnd(1_000_000, 'x') } })],
])('%s in auth.json is damage that is told, without what it says, and not written over', async (_, text) => {
  plant(text)
  const keys = createKeys({ env: {}, home })
  for (const work of [() => keys.find(openai), () => keys.set('openai', 'new'), () => keys.remove('openai')]) {
    const error = await failure(work)
    expect(error).toMatchObject({ code: 'damaged', message: expect.stringContaining(authFile()) })
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(SECRET)
  }
  expect(readFileSync(authFile(), 'utf8')).toBe(text)
})

test.each([
  ['folder', () => mkdirSync(authFile())],
  ['pipe', () => expect(spawnSync('sh', ['-c', 'mkfifo -m 600 "$0"', authFile()]).status).toBe(0)],
])('a %s in its place is told, and does not hang', async (_, put) => {
  put()
  expect(await failure(() => createKeys({ env: {}, home }).find(openai))).toMatchObject({ code: 'damaged' })
})

test('names that objects have by themselves are names as any other', async () => {
  const keys = createKeys({ env: {}, home })
  await keys.set('__proto__', 'proto-key')
  await keys.set('constructor', 'other-key')
  expect(keys.find({ name: '__proto__', keyVariables: [] })?.key).toBe('proto-key')
  expect(keys.find({ name: 'toString', keyVariables: [] })).toBeUndefined()
  expect(({} as Record<string, unknown>).key).toBeUndefined()
})

test('keys of a kind we do not know are kept and not used', async () => {
  plant('{"openai":{"type":"oauth","refresh":"abc","expires":12},"google":{"type":"api_key","key":5}}')
  const keys = createKeys({ env: {}, home })
  expect(keys.find(openai)).toBeUndefined()
  expect(keys.find(google)).toBeUndefined()
  await keys.set('google', 'g')
  expect(JSON.parse(readFileSync(authFile(), 'utf8')).openai).toEqual({ type: 'oauth', refresh: 'abc', expires: 12 })
})

test.each([`${SECRET}\nx: y`, `${SECRET} ${SECRET}`, `${SECRET}é`, `${SECRET}\u0000`, SECRET.repeat(1000)])(
  'what cannot be a key is refused and not quoted (case %#)',
  async (key) => {
    const keys = createKeys({ env: { OPENAI_API_KEY: key }, home })
    const found = await failure(() => keys.find(openai))
    expect(found).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('OPENAI_API_KEY') })
    const set = await failure(() => keys.set('openai', key))
    expect(set.code).toBe('validation_failed')
    expect(found.message + set.message).not.toContain(SECRET)
  },
)

test('an empty key is not stored', async () => {
  expect(await failure(() => createKeys({ env: {}, home }).set('openai', ' \n'))).toMatchObject({
    code: 'validation_failed',
  })
})

test('a key that was scrubbed is none', async () => {
  const keys = createKeys({ env: {}, home })
  await keys.set('openai', SECRET)
  await applyScrub(home, await planScrub(home, SECRET), { confirm: true })
  expect(readFileSync(authFile(), 'utf8')).not.toContain(SECRET)
  expect(modeOf(authFile())).toBe('600')
  expect(keys.find(openai)).toBeUndefined()
})

test('no backup holds the keys, and doctor tells when others could read them', async () => {
  await createKeys({ env: {}, home }).set('openai', SECRET)
  const { folder: backup } = await createBackup(home, join(folder, 'backups'))
  const copied = readdirSync(backup, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  expect(copied.length).toBeGreaterThan(0)
  for (const { parentPath, name } of copied) {
    expect(readFileSync(join(parentPath, name), 'utf8'), name).not.toMatch(/sk-live|auth\.json/)
  }
  chmodSync(authFile(), 0o644)
  const { findings } = await checkHome(home)
  expect(findings).toContainEqual(expect.objectContaining({ code: 'open_mode', path: authFile() }))
})

test('keys of every kind are kept out of what is shown, also of a file that is not used', () => {
  const keys = createKeys({ env: {}, home })
  const stored = { a: { type: 'api_key', key: SECRET }, b: { type: 'oauth', access: 'oat-0123456789', expires: 5 } }
  plant(JSON.stringify({ ...stored, c: { type: 'api_key', key: '*'.repeat(20) } }), 0o644)
  expect(keys.storedKeys()).toEqual([SECRET, 'oat-0123456789'])
  plant(`${JSON.stringify(stored)},`)
  expect(keys.storedKeys()).toContain(SECRET)
})
