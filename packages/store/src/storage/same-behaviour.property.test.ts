import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errnoOf } from '../storage-error.ts'
import { runs } from '../testing/runs.ts'
import { createFileStorage } from './file-storage.ts'
import { createMemoryStorage } from './memory-storage.ts'
import type { SessionStorage } from './storage.ts'

const path = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/e', 'd/e/a', 'a/x')
const text = fc.string({ maxLength: 12, unit: 'binary' })

const operation = fc.oneof(
  fc.tuple(fc.constant('append'), path, text),
  fc.tuple(fc.constantFrom('create', 'empty', 'replace'), path, text),
  fc.tuple(fc.constantFrom('rename'), path, path),
  fc.tuple(
    fc.constantFrom('unlink', 'removeDir', 'touch', 'ensureDir', 'cut', 'prefix', 'look'),
    path,
    fc.constant(''),
  ),
)

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

async function perform(storage: SessionStorage, home: string, [type, name, more]: Operation): Promise<unknown> {
  const at = join(home, name)
  switch (type) {
    case 'append':
    case 'create':
    case 'empty': {
      const writer = storage.openWriter(at, { flags: ({ append: 'a', create: 'wx', empty: 'w' } as const)[type] })
      const size = writer.writeSync(Buffer.from(more))
      await writer.close()
      return size
    }
    case 'cut': {
      const writer = storage.openWriter(at, { flags: 'a' })
      writer.truncateSync(5)
      await writer.close()
      return storage.statSync(at).size
    }
    case 'replace':
      return storage.writeText(at, more)
    case 'rename':
      return storage.rename(at, join(home, more))
    case 'unlink':
      return storage.unlink(at)
    case 'removeDir':
      return storage.removeDir(at)
    case 'touch':
      return storage.touch(at)
    case 'ensureDir':
      return storage.ensureDirSync(at)
    case 'prefix':
      return storage.readTextPrefix(at, 5)
    default:
      return [storage.listFilesSync(at, '*').map((file) => file.slice(home.length)), storage.listDirsSync(at)]
  }
}

async function tell(storage: SessionStorage, home: string, operations: readonly Operation[]): Promise<unknown[]> {
  const told: unknown[] = []
  for (const one of operations) {
    told.push(await perform(storage, home, one).catch((error: unknown) => errnoOf(error) ?? String(error)))
  }
  for (const file of storage.listFilesSync(home, '*')) told.push(file.slice(home.length), await storage.readText(file))
  return told
}

test('G3 memory does what real files do, errors included', async () => {
  const files = createFileStorage()
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const home = mkdtempSync(join(tmpdir(), 'treeline-same-'))
      try {
        const memory = createMemoryStorage()
        memory.ensureDirSync(home)
        expect(await tell(memory, home, operations)).toEqual(await tell(files, home, operations))
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    }),
    { numRuns: runs(150) },
  )
})
