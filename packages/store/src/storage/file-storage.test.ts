import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFileStorage } from './file-storage.ts'

const storage = createFileStorage()
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'treeline-file-storage-'))
})

afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe.each([0o000, 0o022, 0o777])('K5 under umask %o', (umask) => {
  let before: number

  beforeEach(() => {
    before = process.umask(umask)
  })

  afterEach(() => {
    process.umask(before)
  })

  test('files are 0600 and folders 0700', async () => {
    const dir = join(home, 'a/b')
    storage.ensureDirSync(dir)
    expect([modeOf(join(home, 'a')), modeOf(dir)]).toEqual(['700', '700'])
    for (const flags of ['a', 'w', 'wx'] as const) {
      storage.openWriter(join(dir, flags), { flags }).closeSync()
      expect(modeOf(join(dir, flags))).toBe('600')
    }
    storage.writeTextSync(join(dir, 'sync'), '')
    await storage.writeText(join(dir, 'async'), '')
    expect([modeOf(join(dir, 'sync')), modeOf(join(dir, 'async'))]).toEqual(['600', '600'])
  })
})

test('the mode of a file or folder that was there is left as it is', () => {
  const dir = join(home, 'shared')
  mkdirSync(dir)
  chmodSync(dir, 0o750)
  writeFileSync(join(dir, 'f'), '')
  chmodSync(join(dir, 'f'), 0o640)
  storage.ensureDirSync(dir)
  storage.openWriter(join(dir, 'f'), { flags: 'a' }).closeSync()
  expect([modeOf(dir), modeOf(join(dir, 'f'))]).toEqual(['750', '640'])
})

describe('K3 links at the end of a path', () => {
  let link: string
  let target: string

  beforeEach(() => {
    link = join(home, 'link')
    target = join(home, 'target')
    symlinkSync(target, link)
  })

  test.each(['there', 'missing'])('are not followed by any open, the target being %s', async (state) => {
    if (state === 'there') writeFileSync(target, 'secret')
    const loop = expect.objectContaining({ code: 'ELOOP' })
    expect(() => storage.openReader(link)).toThrow(loop)
    expect(() => storage.openWriter(link, { flags: 'a' })).toThrow(loop)
    expect(() => storage.openWriter(link, { flags: 'w' })).toThrow(loop)
    expect(() => storage.openWriter(link, { flags: 'wx' })).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    await expect(storage.readText(link)).rejects.toEqual(loop)
    await expect(storage.readTextPrefix(link, 3)).rejects.toEqual(loop)
    expect(storage.existsSync(target)).toBe(state === 'there')
  })

  test('are stated as themselves, never listed, and replaced by writeText', () => {
    writeFileSync(target, 'secret')
    expect(storage.statSync(link).identity).not.toBe(storage.statSync(target).identity)
    expect(storage.listFilesSync(home, '*')).toEqual([target])
    storage.writeTextSync(link, 'mine')
    expect([readFileSync(target, 'utf8'), readFileSync(link, 'utf8')]).toEqual(['secret', 'mine'])
  })

  test('are refused as folder, but may be in the middle of the path', () => {
    mkdirSync(target)
    expect(() => storage.ensureDirSync(link)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
    expect(storage.listDirsSync(home)).toEqual(['target'])
    storage.ensureDirSync(join(link, 'a/b'))
    storage.writeTextSync(join(link, 'f'), 'through')
    expect(readFileSync(join(target, 'f'), 'utf8')).toBe('through')
    expect(storage.listDirsSync(join(target, 'a'))).toEqual(['b'])
  })
})

test('a pipe in place of a log is refused and does not hang', () => {
  expect(spawnSync('sh', ['-c', 'mkfifo "$0"', join(home, 'pipe')]).status).toBe(0)
  expect(() => storage.openReader(join(home, 'pipe'))).toThrow()
  expect(() => storage.openWriter(join(home, 'pipe'), { flags: 'a' })).toThrow()
})

test('what another thread writes goes to its file, also when that is closed and another opened meanwhile', async () => {
  const writer = storage.openWriter(join(home, 'one'), { flags: 'wx' })
  const pieces = Array.from({ length: 2000 }, (_, i) => Buffer.from(`${i} `.repeat(200)))
  const writing = writer.write(pieces)
  writer.closeSync()
  const other = storage.openWriter(join(home, 'other'), { flags: 'wx' })
  expect(await writing).toBe(Buffer.concat(pieces).length)
  other.closeSync()
  expect(readFileSync(join(home, 'one')).equals(Buffer.concat(pieces))).toBe(true)
  expect(readFileSync(join(home, 'other'), 'utf8')).toBe('')
})

test('sizes and times are plain, identities are device and inode', () => {
  writeFileSync(join(home, 'f'), 'four')
  const real = statSync(join(home, 'f'), { bigint: true })
  const stat = storage.statSync(join(home, 'f'))
  expect(stat).toMatchObject({ size: 4, identity: `${real.dev}:${real.ino}` })
  expect(stat.mtimeMs).toBeCloseTo(Number(real.mtimeNs) / 1e6, 2)
  expect(stat.mtime.getTime()).toBe(Math.trunc(stat.mtimeMs))
})

test('watching where the system gives no watch polls instead', async () => {
  const path = join(home, 'later/f')
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = storage.watch(path, () => storage.existsSync(path) && resolve())
  mkdirSync(join(home, 'later'))
  writeFileSync(path, 'x')
  await promise
  stop()
})

test('watchers keep no process alive', () => {
  const module = pathToFileURL(join(import.meta.dirname, 'file-storage.ts')).href
  const script = `
    import { createFileStorage } from '${module}'
    const storage = createFileStorage()
    storage.watch('${join(home, 'f')}', () => {})
    storage.watch('${join(home, 'none/f')}', () => {})
  `
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 20_000,
    encoding: 'utf8',
  })
  expect([child.status, child.signal, child.stderr]).toEqual([0, null, ''])
})
