import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCrashStorage } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { createFileStorage } from './file-storage.ts'
import { createMemoryStorage } from './memory-storage.ts'
import type { SessionStorage, StorageReader } from './storage.ts'

const storages: readonly (readonly [string, () => SessionStorage])[] = [
  ['file', createFileStorage],
  ['memory', createMemoryStorage],
  ['faulty without a fault', () => createFaultyStorage(createMemoryStorage(), new FaultPlan())],
  ['crash before it crashes', createCrashStorage],
]

const bytes = (text: string) => Buffer.from(text)

function readAll(file: StorageReader): string {
  const into = new Uint8Array(file.statSync().size)
  return Buffer.from(into.subarray(0, file.readSync(into, 0))).toString()
}

describe.each(storages)('%s storage', (_name, create) => {
  let storage: SessionStorage
  let home: string
  let path: string

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'treeline-storage-'))
    path = join(home, 'a.jsonl')
    storage = create()
    storage.ensureDirSync(home)
  })

  afterEach(() => {
    rmSync(home, { recursive: true, force: true })
  })

  function write(to: string, text: string, flags: 'a' | 'ra' | 'w' | 'wx' = 'a'): void {
    const writer = storage.openWriter(to, { flags })
    expect(writer.writeSync(bytes(text))).toBe(bytes(text).length)
    writer.closeSync()
  }

  describe('folders', () => {
    test('missing levels are made, and an existing folder is left as it is', () => {
      const deep = join(home, 'x/y/z')
      storage.ensureDirSync(deep)
      write(join(deep, 'f'), 'kept')
      storage.ensureDirSync(deep)
      expect(storage.statSync(join(deep, 'f')).size).toBe(4)
    })

    test('a file where a folder should be is refused with ENOTDIR', () => {
      write(path, '')
      expect(() => storage.ensureDirSync(path)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
      expect(() => storage.ensureDirSync(join(path, 'x'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
    })

    test('files are listed by pattern, in order, without folders and temp files', () => {
      for (const name of ['b.jsonl', 'a.jsonl', 'a.txt', '.b.jsonl']) write(join(home, name), '')
      storage.ensureDirSync(join(home, 'd.jsonl'))
      expect(storage.listFilesSync(home, '*.jsonl')).toEqual([path, join(home, 'b.jsonl')])
      expect(storage.listFilesSync(home, 'a*')).toEqual([path, join(home, 'a.txt')])
      expect(storage.listDirsSync(home)).toEqual(['d.jsonl'])
    })

    test('a missing folder lists as empty, a file as folder throws', () => {
      expect(storage.listFilesSync(join(home, 'none'), '*')).toEqual([])
      expect(storage.listDirsSync(join(home, 'none'))).toEqual([])
      write(path, '')
      expect(() => storage.listDirsSync(path)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
    })

    test('syncing a missing folder is ENOENT', async () => {
      expect(() => storage.syncDirSync(join(home, 'none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      await expect(storage.syncDir(join(home, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
      await storage.syncDir(home)
    })
  })

  describe('opening', () => {
    test('wx fails with EEXIST and leaves the file alone', () => {
      write(path, 'one')
      expect(() => storage.openWriter(path, { flags: 'wx' })).toThrow(expect.objectContaining({ code: 'EEXIST' }))
      expect(storage.statSync(path).size).toBe(3)
    })

    test('a appends, w empties, wx creates', () => {
      write(path, 'one', 'wx')
      write(path, 'two', 'a')
      expect(storage.statSync(path).size).toBe(6)
      write(path, 'x', 'w')
      expect(storage.statSync(path).size).toBe(1)
    })

    test('r+ writes over what is there, from the beginning on, ra behind it; neither makes a file', () => {
      for (const flags of ['r+', 'ra'] as const)
        expect(() => storage.openWriter(path, { flags })).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      expect(storage.existsSync(path)).toBe(false)
      write(path, '0123456789')
      const writer = storage.openWriter(path, { flags: 'r+' })
      for (const piece of ['ab', 'c']) expect(writer.writeSync(Buffer.from(piece))).toBe(piece.length)
      const bytes = Buffer.alloc(20)
      expect(bytes.toString('utf8', 0, writer.readSync(bytes, 0))).toBe('abc3456789')
      for (const piece of ['456789', 'ABC']) writer.writeSync(Buffer.from(piece))
      writer.closeSync()
      const reader = storage.openReader(path)
      expect(bytes.toString('utf8', 0, reader.readSync(bytes, 0))).toBe('abc456789ABC')
      reader.closeSync()
      write(path, 'end', 'ra')
      expect(storage.statSync(path).size).toBe(15)
    })

    test('what is missing is ENOENT, a folder is EISDIR', () => {
      const none = join(home, 'none')
      expect(() => storage.openReader(none)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      expect(() => storage.statSync(none)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      expect(() => storage.openWriter(join(none, 'f'), { flags: 'a' })).toThrow(
        expect.objectContaining({ code: 'ENOENT' }),
      )
      expect(() => storage.openReader(home)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
      expect(() => storage.openWriter(home, { flags: 'a' })).toThrow(expect.objectContaining({ code: 'EISDIR' }))
    })

    test('exists says what stat would find', async () => {
      expect([storage.existsSync(path), await storage.exists(path)]).toEqual([false, false])
      write(path, '')
      expect([storage.existsSync(path), await storage.exists(path)]).toEqual([true, true])
      expect(storage.existsSync(join(path, 'below-a-file'))).toBe(false)
    })
  })

  describe('reading', () => {
    test('a read past the end is short, at the end it is empty', async () => {
      write(path, '0123456789')
      const reader = storage.openReader(path)
      const into = new Uint8Array(8)
      expect(reader.readSync(into, 6)).toBe(4)
      expect(Buffer.from(into).toString('latin1')).toBe('6789\0\0\0\0')
      expect(await reader.read(into, 7)).toBe(3)
      expect(Buffer.from(into).toString('latin1')).toBe('7899\0\0\0\0')
      expect([reader.readSync(into, 10), await reader.read(into, 999)]).toEqual([0, 0])
      reader.closeSync()
    })

    test('a reader sees what is appended after it was opened, and can make it durable', async () => {
      write(path, 'one')
      const reader = storage.openReader(path)
      write(path, 'two')
      expect(readAll(reader)).toBe('onetwo')
      await reader.datasync()
      reader.datasyncSync()
      reader.closeSync()
    })

    test('a closed handle throws EBADF; closing twice and closing under a read are harmless', async () => {
      write(path, 'one')
      const reader = storage.openReader(path)
      const into = new Uint8Array(3)
      const reading = reader.read(into, 0)
      reader.closeSync()
      reader.closeSync()
      expect(await reading).toBe(3)
      expect(() => reader.readSync(into, 0)).toThrow(expect.objectContaining({ code: 'EBADF' }))
      await expect(reader.datasync()).rejects.toMatchObject({ code: 'EBADF' })
    })

    test('a prefix ends at a whole character', async () => {
      storage.writeTextSync(path, 'aé€😀')
      const prefixes = [0, 1, 2, 3, 5, 6, 9, 10, 99].map((size) => storage.readTextPrefix(path, size))
      expect(await Promise.all(prefixes)).toEqual(['', 'a', 'a', 'aé', 'aé', 'aé€', 'aé€', 'aé€😀', 'aé€😀'])
      expect(await storage.readText(path)).toBe('aé€😀')
    })
  })

  describe('writing', () => {
    test('a writer reads what it and others wrote, and cuts', () => {
      const writer = storage.openWriter(path, { flags: 'a' })
      writer.writeSync(bytes('one'))
      write(path, 'two')
      writer.writeSync(bytes('three'))
      expect(readAll(writer)).toBe('onetwothree')
      writer.truncateSync(3)
      writer.writeSync(bytes('!'))
      expect(readAll(writer)).toBe('one!')
      writer.truncateSync(6)
      expect(readAll(writer)).toBe('one!\0\0')
      writer.closeSync()
    })

    test('pieces are written one after the other, behind what is there', async () => {
      const writer = storage.openWriter(path, { flags: 'a' })
      writer.writeSync(bytes('one'))
      expect(await writer.write(['two', '', 'three'].map(bytes))).toBe(8)
      write(path, 'four')
      expect(await writer.write([bytes('five')])).toBe(4)
      writer.writeSync(bytes('six'))
      expect(readAll(writer)).toBe('onetwothreefourfivesix')
      writer.closeSync()
      await expect(writer.write([bytes('late')])).rejects.toMatchObject({ code: 'EBADF' })
    })

    test.each(['w', 'wx'] as const)('a writer opened %s writes at the end after a cut', (flags) => {
      const writer = storage.openWriter(path, { flags })
      writer.writeSync(bytes('12345'))
      writer.truncateSync(2)
      writer.writeSync(bytes('x'))
      expect(readAll(writer)).toBe('12x')
      writer.closeSync()
    })

    test('lines are written whole and in order; close waits for them', async () => {
      const writer = storage.openWriter(path, { flags: 'a' })
      const lines = Array.from({ length: 50 }, (_, n) => `line ${n} ${'é'.repeat(n)}`)
      const written = lines.map((line) => writer.writeLine(line))
      await writer.close()
      await Promise.all(written)
      expect(await storage.readText(path)).toBe(lines.map((line) => `${line}\n`).join(''))
    })

    test('flush and fsync wait for the lines before them', async () => {
      const writer = storage.openWriter(path, { flags: 'a' })
      void writer.writeLine('one')
      await writer.flush()
      expect(storage.statSync(path).size).toBe(4)
      void writer.writeLine('two')
      await writer.fsync()
      expect(storage.statSync(path).size).toBe(8)
      await Promise.all([writer.close(), writer.close()])
      await expect(writer.writeLine('late')).rejects.toMatchObject({ code: 'EBADF' })
    })

    test('a line that holds a line end is refused, and the writer goes on', async () => {
      const writer = storage.openWriter(path, { flags: 'a' })
      await expect(writer.writeLine('two\nlines')).rejects.toThrow(TypeError)
      expect(writer.getError()).toBeUndefined()
      await writer.writeLine('one line')
      await writer.close()
      expect(await storage.readText(path)).toBe('one line\n')
    })

    test('writeText replaces at once: another identity, no temp file left, the old handle keeps the old text', async () => {
      storage.writeTextSync(path, 'old text')
      const { identity } = storage.statSync(path)
      const reader = storage.openReader(path)
      await storage.writeText(path, 'new')
      expect(await storage.readText(path)).toBe('new')
      expect(readAll(reader)).toBe('old text')
      expect(reader.statSync().identity).toBe(identity)
      expect(storage.statSync(path).identity).not.toBe(identity)
      expect(storage.listFilesSync(home, '.*')).toEqual([])
      reader.closeSync()
    })

    test('writeText that cannot replace leaves no temp file', async () => {
      const folder = join(home, 'folder')
      storage.ensureDirSync(folder)
      expect(() => storage.writeTextSync(folder, 'x')).toThrow(expect.objectContaining({ code: 'EISDIR' }))
      await expect(storage.writeText(folder, 'x')).rejects.toMatchObject({ code: 'EISDIR' })
      expect(storage.listFilesSync(home, '.*')).toEqual([])
    })
  })

  describe('renaming and removing', () => {
    test('rename replaces an open file; its handles keep the old one', async () => {
      write(path, 'old')
      write(join(home, 'b'), 'new')
      const writer = storage.openWriter(path, { flags: 'a' })
      const { identity } = storage.statSync(join(home, 'b'))
      await storage.rename(join(home, 'b'), path)
      writer.writeSync(bytes('er'))
      expect(readAll(writer)).toBe('older')
      expect(await storage.readText(path)).toBe('new')
      expect(storage.statSync(path).identity).toBe(identity)
      expect(storage.existsSync(join(home, 'b'))).toBe(false)
      writer.closeSync()
    })

    test('folders can be renamed, into another folder too', () => {
      storage.ensureDirSync(join(home, 'x/y'))
      storage.ensureDirSync(join(home, 'z'))
      write(join(home, 'x/y/f'), 'text')
      storage.renameSync(join(home, 'x/y'), join(home, 'z/y'))
      expect(storage.statSync(join(home, 'z/y/f')).size).toBe(4)
      expect(storage.listDirsSync(join(home, 'x'))).toEqual([])
    })

    test.each([
      ['none', 'b', 'ENOENT'],
      ['f', 'none/f', 'ENOENT'],
      ['f', 'full', 'EISDIR'],
      ['full', 'f', 'ENOTDIR'],
      ['empty', 'full', 'ENOTEMPTY'],
      ['full', 'full/below', 'EINVAL'],
    ])('rename %s → %s is %s', async (from, to, code) => {
      storage.ensureDirSync(join(home, 'empty'))
      storage.ensureDirSync(join(home, 'full'))
      write(join(home, 'full/f'), '')
      write(join(home, 'f'), '')
      await expect(storage.rename(join(home, from), join(home, to))).rejects.toMatchObject({ code })
      expect(() => storage.renameSync(join(home, from), join(home, to))).toThrow(expect.objectContaining({ code }))
    })

    test('touch makes a file look changed now, and changes nothing else of it', async () => {
      write(path, 'kept')
      const before = storage.statSync(path)
      await vi.waitUntil(() => Date.now() > before.mtimeMs + 1)
      const now = Date.now()
      await storage.touch(path)
      const after = storage.statSync(path)
      expect(Math.round(after.mtimeMs)).toBeGreaterThanOrEqual(now)
      expect([after.size, after.identity]).toEqual([4, before.identity])
      await expect(storage.touch(join(home, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(storage.touch(join(path, 'below-a-file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    })

    test('an empty folder can be removed, any other cannot', async () => {
      storage.ensureDirSync(join(home, 'folder'))
      write(join(home, 'folder', 'file'), 'kept')
      await expect(storage.removeDir(join(home, 'folder'))).rejects.toMatchObject({ code: 'ENOTEMPTY' })
      await expect(storage.removeDir(join(home, 'folder', 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
      await expect(storage.removeDir(join(home, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
      await storage.unlink(join(home, 'folder', 'file'))
      await storage.removeDir(join(home, 'folder'))
      expect(storage.existsSync(join(home, 'folder'))).toBe(false)
    })

    test('a removed file lives on in its open handles only', async () => {
      write(path, 'one')
      const writer = storage.openWriter(path, { flags: 'a' })
      await storage.unlink(path)
      expect(storage.existsSync(path)).toBe(false)
      writer.writeSync(bytes('two'))
      expect(readAll(writer)).toBe('onetwo')
      write(path, 'another')
      expect(storage.statSync(path).identity).not.toBe(writer.statSync().identity)
      writer.closeSync()
      await expect(storage.unlink(join(home, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })

  describe('watching', () => {
    /** Resolves at the first call that finds `isThere` true: hints may come early, late or twice. */
    async function noticed(change: () => void, isThere: () => boolean): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = storage.watch(path, () => isThere() && resolve())
      change()
      await promise
      stop()
    }

    test('an append is noticed', async () => {
      write(path, 'one')
      await noticed(
        () => write(path, 'two'),
        () => storage.statSync(path).size === 6,
      )
    })

    test('a replacement is noticed, and an append to the new file', async () => {
      write(path, 'old')
      let isReplaced = false
      const both = noticed(
        () => storage.writeTextSync(path, 'newer'),
        () => {
          if (!isReplaced && storage.statSync(path).size === 5) {
            isReplaced = true
            write(path, '!')
          }
          return isReplaced && storage.statSync(path).size === 6
        },
      )
      await both
    })

    test('a removal is noticed', async () => {
      write(path, 'one')
      await noticed(
        () => void storage.unlink(path),
        () => !storage.existsSync(path),
      )
    })

    test('after stopping nothing is called, and other watchers of the folder still are', async () => {
      write(path, 'one')
      let calls = 0
      const stop = storage.watch(path, () => calls++)
      stop()
      stop()
      await noticed(
        () => write(path, 'two'),
        () => true,
      )
      expect(calls).toBe(0)
    })
  })
})
