import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { checkLog } from '../doctor/check-log.ts'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { hasShared, listLogs, SKIPPED } from '../testing/shared-fixtures.ts'
import { header, makeTempHome, type TempHome, toText } from '../testing/temp-home.ts'
import type { BlobRef } from './blob-ref.ts'

const BYTES = Buffer.alloc(2000, 5)
const HASH = createHash('sha256').update(BYTES).digest('hex')
const REF: BlobRef = `blob:sha256:${HASH}`

/** A log of another tool that names one image, and its folder of blobs. */
function placeLog({ outside }: TempHome, data: string = REF): { readonly path: string; readonly blobs: string } {
  const blobs = join(outside, 'blobs')
  mkdirSync(blobs)
  const path = join(outside, 'theirs.jsonl')
  const content = [{ type: 'image', data, mimeType: 'image/png' }]
  const message = { role: 'user', content, timestamp: 1 }
  writeFileSync(path, toText([header('theirs'), { type: 'message', id: 'e1', parentId: null, timestamp: '', message }]))
  return { path, blobs }
}

async function readImage(temp: TempHome, path: string, ...blobFolders: readonly string[]) {
  await using store = await openFileStore(temp)
  await using session = await store.openPath(path, { blobFolders })
  const { entry, unresolved } = (await session.readFull('e1'))!
  const [image] = (entry.message as { content: [{ data: string }] }).content
  return { data: image.data, problem: unresolved[0]?.reason }
}

const GOOD = { data: BYTES.toString('base64'), problem: undefined }

describe('blobs of another tool', () => {
  test('S32 are found in its folders, in their order, and read only', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    expect(await readImage(temp, path)).toEqual({ data: REF, problem: 'missing' })
    expect(await readImage(temp, path, blobs, join(blobs, 'missing'))).toEqual({ data: REF, problem: 'missing' })
    writeFileSync(join(blobs, HASH), BYTES)
    const before = readdirSync(temp.outside, { recursive: true })
    expect(await readImage(temp, path, join(blobs, 'missing'), blobs)).toEqual(GOOD)
    expect(await readImage(temp, path)).toEqual({ data: REF, problem: 'missing' })
    expect(readdirSync(temp.outside, { recursive: true })).toEqual(before)
    expect(temp.list().filter((file) => file.includes('blobs'))).toEqual([])
  })

  test('S32 a reference that another tool wrote with escapes is carried into a fork', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    writeFileSync(path, readFileSync(path, 'utf8').replace('blob:', 'blob\\u003a'))
    writeFileSync(join(blobs, HASH), BYTES)
    await using store = await openFileStore(temp)
    await using source = await store.openPath(path, { blobFolders: [blobs] })
    await using fork = await store.fork(source)
    expect((await fork.readFull('e1'))!.unresolved).toEqual([])
    expect(await fork.readBlob(REF)).toBeDefined()
  })

  test('S32 sessions on one log have each their own folders', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    writeFileSync(join(blobs, HASH), BYTES)
    await using store = await openFileStore(temp)
    await using plain = await store.openPath(path)
    await using session = await store.openPath(path, { blobFolders: [blobs] })
    expect(await plain.readBlob(REF)).toBeUndefined()
    expect(Buffer.from((await session.readBlob(REF))!).equals(BYTES)).toBe(true)
    expect(await store.readBlob(REF)).toBeUndefined()
  })

  test('I2 bytes that are not what their name says are not shown; a good copy elsewhere is', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    const other = join(temp.outside, 'other')
    mkdirSync(other)
    writeFileSync(join(blobs, HASH), 'something else')
    expect(await readImage(temp, path, blobs, other)).toEqual({ data: REF, problem: 'damaged' })
    writeFileSync(join(other, HASH), BYTES)
    expect(await readImage(temp, path, blobs, other)).toEqual(GOOD)
    // Our own goes first, and when it is damaged theirs helps out.
    const own = join(temp.home, 'blobs', HASH)
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, 'something else')
    expect(await readImage(temp, path, other)).toEqual(GOOD)
    writeFileSync(own, BYTES)
    expect(await readImage(temp, path, blobs)).toEqual(GOOD)
  })

  test.each([
    ['a link', (at: string, file: string) => symlinkSync(file, at)],
    ['a folder', (at: string) => mkdirSync(at)],
  ])('K3 %s is not read', async (_name, make) => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    const file = join(temp.outside, 'file')
    writeFileSync(file, BYTES)
    make(join(blobs, HASH), file)
    expect(await readImage(temp, path, blobs)).toEqual({ data: REF, problem: 'damaged' })
  })

  test.each(['blob:sha256:../secret', `blob:sha256:${'A'.repeat(64)}`, 'blob:sha256:'])(
    'K3 %s leads to no file',
    async (data) => {
      using temp = makeTempHome()
      const { path, blobs } = placeLog(temp, data)
      writeFileSync(join(temp.outside, 'secret'), BYTES)
      expect(await readImage(temp, path, blobs)).toEqual({ data, problem: undefined })
      await using store = await openFileStore(temp)
      await using session = await store.openPath(path, { blobFolders: [blobs] })
      await expect(session.readBlob(data as BlobRef)).rejects.toMatchObject({ code: 'validation_failed' })
    },
  )

  test('a fork takes them along; what is missing or damaged is told of', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    const file = join(blobs, HASH)
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path, { blobFolders: [blobs] })
    for (const [bytes, codes] of [
      [undefined, ['damaged']],
      ['x', ['damaged']],
      [BYTES, []],
    ] as const) {
      if (bytes !== undefined) writeFileSync(file, bytes)
      const told: TreelineError[] = []
      const fork = await store.fork(session, { onLeftOut: (problem) => told.push(problem) })
      expect(told.map(({ code }) => code)).toEqual(codes)
      expect((await fork.readFull('e1'))!.unresolved).toHaveLength(codes.length)
      expect(await fork.readEntry('e1')).toMatchObject((await session.readEntry('e1'))!)
    }
    expect(readFileSync(join(temp.home, 'blobs', HASH)).equals(BYTES)).toBe(true)
    const fork = await store.forkFrom(path, { blobFolders: [blobs] })
    expect((await fork.readFull('e1'))!.unresolved).toEqual([])
    expect(readFileSync(file).equals(BYTES)).toBe(true)
  })

  test('the doctor looks for them where it is told to', async () => {
    using temp = makeTempHome()
    const { path, blobs } = placeLog(temp)
    writeFileSync(join(blobs, HASH), BYTES)
    using home = openHome(temp)
    expect([...(await checkLog(home, path)).counts.keys()]).toContain('blob_missing')
    expect([...(await checkLog(home, path, { blobFolders: [blobs] })).counts.keys()]).not.toContain('blob_missing')
  })
})

const logs = listLogs('xcsh/sessions', 'omp18/sessions').filter(([name]) => name.endsWith('/images-blobs.jsonl'))

test.skipIf(!hasShared).each(logs)(
  hasShared ? 'S32 %s: every image is found, and is in the fork' : SKIPPED,
  async (_, path) => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const blobFolders = [join(path, '../../agent/blobs')]
    await using session = await store.openPath(path, { blobFolders })
    const told: TreelineError[] = []
    const fork = await store.fork(session, { how: 'whole', onLeftOut: (problem) => told.push(problem) })
    let found = 0
    for await (const { id } of session.entries()) {
      const full = (await session.readFull(id))!
      expect(full.unresolved).toEqual([])
      expect((await fork.readFull(id))!.entry.message).toEqual(full.entry.message)
      if (!JSON.stringify(await session.readEntry(id)).includes('blob:sha256:')) continue
      expect(JSON.stringify(full.entry)).not.toContain('blob:sha256:')
      found++
    }
    expect(found).toBeGreaterThan(0)
    expect(told).toEqual([])
  },
)
