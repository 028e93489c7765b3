import { describe, expect, test } from 'vitest'
import type { SessionStorage } from '../storage/storage.ts'
import { type CrashStorage, createCrashStorage, type Random, seededRandom } from './crash-storage.ts'
import { Crashed } from './crash-storage-journal.ts'

const PATH = '/home/f'
const SEEDS = Array.from({ length: 300 }, (_, seed) => seed)
const keepAll: Random = () => 0
const loseAll: Random = () => 0.999
const bytes = (text: string) => Buffer.from(text)

/** A durable folder with a durable file of 4 bytes. */
function setUp(): CrashStorage {
  const storage = createCrashStorage()
  storage.ensureDirSync('/home')
  storage.writeTextSync(PATH, 'base')
  return storage
}

function read(storage: SessionStorage, path = PATH): string | undefined {
  if (!storage.existsSync(path)) return undefined
  const reader = storage.openReader(path)
  const into = Buffer.alloc(reader.statSync().size)
  reader.readSync(into, 0)
  return into.toString('latin1')
}

/** What is seen after each of many crashes, without repetition. */
function outcomes<T>(storage: CrashStorage, see: (after: SessionStorage) => T): Set<T> {
  return new Set(SEEDS.map((seed) => see(storage.crash(seededRandom(seed)))))
}

const names = (storage: SessionStorage) => storage.listFilesSync('/home', '*').join(' ')

describe('D1 what is durable', () => {
  test('what was synced, with its folder, survives every crash', async () => {
    const storage = setUp()
    const writer = storage.openWriter('/home/new', { flags: 'wx' })
    writer.writeSync(bytes('one'))
    await writer.datasync()
    writer.writeSync(bytes('two'))
    await writer.fsync()
    await storage.syncDir('/home')
    expect(outcomes(storage, (after) => read(after, '/home/new'))).toEqual(new Set(['onetwo']))
  })

  test('folders, replaced texts and renames of the port survive every crash', async () => {
    const storage = setUp()
    storage.ensureDirSync('/home/a/b/c')
    storage.ensureDirSync('/home/d')
    await storage.writeText('/home/a/b/c/f', 'text')
    await storage.rename('/home/a/b/c/f', '/home/a/f')
    storage.renameSync('/home/a/b', '/home/d/b')
    const paths = ['/home/a/f', '/home/d/b/c', '/home/d/b/c/f', '/home/a/b']
    const see = (after: SessionStorage) => paths.filter((path) => after.existsSync(path)).join(' ')
    expect(outcomes(storage, see)).toEqual(new Set(['/home/a/f /home/d/b/c']))
    expect(outcomes(storage, (after) => read(after, '/home/a/f'))).toEqual(new Set(['text']))
  })

  test('a sync through another handle, a reader even, covers the file', () => {
    const storage = setUp()
    storage.openWriter(PATH, { flags: 'a' }).writeSync(bytes('+'))
    storage.openReader(PATH).datasyncSync()
    expect(outcomes(storage, read)).toEqual(new Set(['base+']))
  })

  test('a sync covers what was written before it began, and only once it has ended', async () => {
    const storage = setUp()
    const writer = storage.openWriter(PATH, { flags: 'a' })
    writer.writeSync(bytes('1'))
    const syncing = writer.datasync()
    writer.writeSync(bytes('2'))
    expect(read(storage.crash(loseAll))).toBe('base')
    await syncing
    expect(read(storage.crash(loseAll))).toBe('base1')
    expect(read(storage.crash(keepAll))).toBe('base12')
  })
})

describe('what is not synced', () => {
  test('may all be kept, as after kill -9, or all be lost', () => {
    const storage = setUp()
    const writer = storage.openWriter(PATH, { flags: 'a' })
    writer.writeSync(bytes('1'))
    writer.truncateSync(2)
    writer.writeSync(bytes('2'))
    storage.openWriter('/home/new', { flags: 'wx' })
    const [kept, lost] = [storage.crash(keepAll), storage.crash(loseAll)]
    expect([read(kept), names(kept)]).toEqual(['ba2', '/home/f /home/new'])
    expect([read(lost), names(lost)]).toEqual(['base', '/home/f'])
  })

  test('writes are independently kept, torn, garbage, zeros or gone, with zeros in the holes', () => {
    const storage = setUp()
    const writer = storage.openWriter(PATH, { flags: 'a' })
    writer.writeSync(bytes('1111'))
    writer.writeSync(bytes('2222'))
    const seen = outcomes(storage, read)
    const expected = ['base', 'base1111', 'base11112222', 'base\0\0\0\0', 'base\0\0\0\x002222', 'base11', 'base111122']
    for (const text of expected) expect(seen).toContain(text)
    const isGarbage = (text: string | undefined) => /^base[^1\0]{4}2222$/.test(text ?? '')
    expect([...seen].some(isGarbage)).toBe(true)
    for (const text of seen) expect(text?.startsWith('base')).toBe(true)
  })

  test('a created file may vanish though its content was synced', async () => {
    const storage = setUp()
    const writer = storage.openWriter('/home/new', { flags: 'wx' })
    writer.writeSync(bytes('text'))
    await writer.fsync()
    expect(outcomes(storage, (after) => read(after, '/home/new'))).toEqual(new Set([undefined, 'text']))
  })

  test('a removed file may come back, with what was durable', async () => {
    const storage = setUp()
    await storage.unlink(PATH)
    expect(outcomes(storage, read)).toEqual(new Set([undefined, 'base']))
    await storage.syncDir('/home')
    expect(outcomes(storage, read)).toEqual(new Set([undefined]))
  })

  test('changes of a folder are lost from the end only', () => {
    const storage = setUp()
    for (const name of ['1', '2', '3']) storage.openWriter(`/home/${name}`, { flags: 'wx' })
    const prefixes = ['/home/f', '/home/1 /home/f', '/home/1 /home/2 /home/f', '/home/1 /home/2 /home/3 /home/f']
    expect(outcomes(storage, names)).toEqual(new Set(prefixes))
  })

  test('a folder sync covers the changes before it began', async () => {
    const storage = setUp()
    storage.openWriter('/home/early', { flags: 'wx' })
    const syncing = storage.syncDir('/home')
    storage.openWriter('/home/late', { flags: 'wx' })
    expect(names(storage.crash(loseAll))).toBe('/home/f')
    await syncing
    expect(names(storage.crash(loseAll))).toBe('/home/early /home/f')
  })

  test('a file moved to another folder is never gone from both, whichever is synced first', async () => {
    for (const first of ['/home', '/trash']) {
      const storage = setUp()
      storage.ensureDirSync('/trash')
      const renaming = storage.rename(PATH, '/trash/f')
      storage.syncDirSync(first)
      const seen = outcomes(storage, (after) => `${read(after)} ${read(after, '/trash/f')}`)
      expect(seen).toEqual(new Set(first === '/home' ? ['undefined base'] : ['undefined base', 'base base']))
      await renaming
    }
  })

  test('replacing a file without syncing the new text first is caught', async () => {
    const storage = setUp()
    const writer = storage.openWriter('/home/temp', { flags: 'wx' })
    writer.writeSync(bytes('new!'))
    await storage.rename('/home/temp', PATH)
    const seen = outcomes(storage, read)
    expect(seen).toContain('new!')
    expect(seen).toContain('')
    expect(seen).not.toContain('base')
  })
})

describe('stopping the world', () => {
  /** Renames on the way are unsynced at some of the stops: within one folder and between two. */
  async function work(storage: SessionStorage): Promise<void> {
    await storage.writeText(PATH, 'new!')
    storage.ensureDirSync('/home/trash')
    await storage.rename(PATH, '/home/g')
    await storage.rename('/home/g', '/home/trash/f')
  }

  test('at every operation, whatever survives, the text is there, old or new and whole', async () => {
    const whole = setUp()
    const first = whole.operations
    await work(whole)
    // Create, write, sync, rename, folder; folder, its folder; rename, folder; rename, two folders.
    expect(whole.operations - first).toBe(12)
    const seen = new Set<string>()
    for (let n = 1; n <= 12; n++) {
      const storage = setUp().crash(keepAll, { crashAt: n })
      await expect(work(storage)).rejects.toThrow(Crashed)
      expect([storage.isStopped, storage.operations]).toEqual([true, n])
      for (const seed of SEEDS) {
        const after = storage.crash(seededRandom(seed))
        const found = [PATH, '/home/g', '/home/trash/f'].filter((path) => after.existsSync(path))
        seen.add(found.map((path) => `${path} ${read(after, path)}`).join(', '))
      }
    }
    const moved = ['/home/g new!', '/home/g new!, /home/trash/f new!', '/home/trash/f new!']
    expect(seen).toEqual(new Set(['/home/f base', '/home/f new!', ...moved]))
  })

  test('nothing happens afterwards: every operation throws, also those under way', async () => {
    const storage = setUp()
    const writer = storage.openWriter(PATH, { flags: 'a' })
    writer.writeSync(bytes('+'))
    const syncing = writer.datasync()
    storage.stop()
    await expect(syncing).rejects.toThrow(Crashed)
    expect(() => writer.writeSync(bytes('x'))).toThrow(Crashed)
    expect(() => writer.readSync(new Uint8Array(1), 0)).toThrow(Crashed)
    expect(() => writer.truncateSync(0)).toThrow(Crashed)
    expect(() => storage.existsSync(PATH)).toThrow(Crashed)
    expect(() => storage.openReader(PATH)).toThrow(Crashed)
    await expect(storage.unlink(PATH)).rejects.toThrow(Crashed)
    await expect(storage.syncDir('/home')).rejects.toThrow(Crashed)
    expect(outcomes(storage, read)).toContain('base')
  })
})

describe('after a crash', () => {
  test('the same seed gives the same disk', () => {
    const storage = setUp()
    const writer = storage.openWriter(PATH, { flags: 'a' })
    for (let n = 0; n < 20; n++) writer.writeSync(bytes(`line ${n}\n`))
    for (const seed of [1, 2, 3]) {
      expect(read(storage.crash(seededRandom(seed)))).toBe(read(storage.crash(seededRandom(seed))))
    }
    expect(outcomes(storage, read).size).toBeGreaterThan(250)
  })

  test('the new disk is its own, is durable, keeps identities, and can crash again', () => {
    const storage = setUp()
    const after = storage.crash(loseAll)
    expect(after.statSync(PATH).identity).toBe(storage.statSync(PATH).identity)
    after.writeTextSync('/home/other', 'x')
    after.openWriter(PATH, { flags: 'a' }).writeSync(bytes('+'))
    expect([read(storage), names(storage)]).toEqual(['base', '/home/f'])
    const again = after.crash(loseAll)
    expect([read(again), names(again)]).toEqual(['base', '/home/f /home/other'])
    expect(after.statSync('/home/other').identity).not.toBe(after.statSync(PATH).identity)
  })
})
