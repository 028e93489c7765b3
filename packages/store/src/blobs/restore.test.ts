import { type Entry, TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { homePaths } from '../paths.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { memoryBlobs } from '../testing/memory-blobs.ts'
import { createBlobStore } from './blob-store.ts'
import { externalise } from './externalise.ts'
import { resolveBlobs } from './restore.ts'

const LONG = 'line\n'.repeat(200_000)
const IMAGE = Buffer.alloc(3000, 7).toString('base64')
const REF = `blob:sha256:${'a'.repeat(64)}`

function entry(fields: object): Entry {
  return { type: 'message', id: 'aaaaaaaa', parentId: null, timestamp: '2026-01-01T00:00:00.000Z', ...fields }
}

const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })

test('S32 images and long text come back as they were', async () => {
  const blobs = memoryBlobs()
  const original = entry({
    message: { role: 'user', content: [image(IMAGE), { type: 'text', text: LONG }, image(IMAGE)] },
    details: { content: LONG, lineCount: 200_001 },
  })
  const stored = await externalise(original, blobs.put)
  const { entry: restored, unresolved } = await resolveBlobs(stored, blobs.read)
  expect(unresolved).toEqual([])
  expect(JSON.stringify(restored)).toBe(JSON.stringify(original))
  expect(blobs.kept.size).toBe(2)
})

test('S32 references of xcsh and oh-my-pi are resolved where those tools put them', async () => {
  const blobs = memoryBlobs()
  const png = await blobs.put(Buffer.from('png'))
  const url = await blobs.put(Buffer.from('data:image/png;base64,cG5n'))
  const stored = entry({
    message: { content: [image(png)], deep: [{ image_url: url }, { type: 'image_generation_call', result: png }] },
  })
  const { entry: restored } = await resolveBlobs(stored, blobs.read)
  expect(restored.message).toEqual({
    content: [image('cG5n')],
    deep: [{ image_url: 'data:image/png;base64,cG5n' }, { type: 'image_generation_call', result: 'cG5n' }],
  })
})

test('an entry without references is the same object, and nothing is read', async () => {
  const plain = entry({ message: { role: 'user', content: `${REF} is a reference only where an image is` } })
  const { entry: restored, unresolved } = await resolveBlobs(plain, () => Promise.reject(new Error('read')))
  expect(restored).toBe(plain)
  expect(unresolved).toEqual([])
})

test('I3 a missing or damaged blob leaves its reference, is reported, and hides nothing else', async () => {
  const blobs = memoryBlobs()
  const stored = await externalise(entry({ message: { content: [image(IMAGE), image(REF)], text: LONG } }), blobs.put)
  const damagedRef = (stored.treelineFull as Record<string, string>)['/message/text']!
  const { entry: restored, unresolved } = await resolveBlobs(stored, async (ref) => {
    if (ref === damagedRef) throw new TreelineError('damaged', 'flipped')
    return blobs.read(ref)
  })
  const { text } = stored.message as { text: string }
  expect(restored.message).toEqual({ content: [image(IMAGE), image(REF)], text })
  expect(restored.treelineFull).toEqual(stored.treelineFull)
  expect(unresolved).toEqual([
    { pointer: '/message/content/1/data', ref: REF, reason: 'missing' },
    { pointer: '/message/text', ref: damagedRef, reason: 'damaged' },
  ])
})

test('I3 a link, a folder or a bad disk in place of a blob hides nothing else of its entry', async () => {
  const storage = createMemoryStorage()
  const plan = new FaultPlan()
  const blobs = createBlobStore({ storage: createFaultyStorage(storage, plan), paths: homePaths('/home') })
  const stored = await externalise(entry({ message: { content: [image(IMAGE)] }, details: LONG }), blobs.put)
  for (const code of ['ELOOP', 'EACCES', 'EISDIR', 'EIO']) {
    plan.arm({ nth: 1, kinds: ['open', 'read'], outcome: { type: 'error', code } })
    const { entry: restored, unresolved } = await resolveBlobs(stored, blobs.read)
    expect([code, unresolved.map(({ reason }) => reason)]).toEqual([code, ['damaged']])
    expect(restored.details).toBe(LONG)
  }
  plan.arm({ nth: 1, kinds: ['open'], outcome: { type: 'error', code: 'EMFILE' } })
  await expect(resolveBlobs(stored, blobs.read)).rejects.toMatchObject({ code: 'internal' })
})

test('an error that is not about the blob is passed on', async () => {
  const stored = entry({ message: { content: [image(REF)] } })
  await expect(resolveBlobs(stored, () => Promise.reject(new Error('no permission')))).rejects.toThrow('no permission')
})

test('K3 what is not exactly a reference is never read', async () => {
  const hostile = ['blob:sha256:../../../etc/passwd', `${REF}\n`, `${REF}/../x`, 'blob:sha256:', REF.toUpperCase()]
  const stored = entry({
    message: { content: hostile.map(image) },
    treelineFull: Object.fromEntries(hostile.map((ref, n) => [`/message/content/${n}/data`, ref])),
  })
  const { entry: restored, unresolved } = await resolveBlobs(stored, () => Promise.reject(new Error('read')))
  expect(restored).toBe(stored)
  expect(unresolved.map(({ reason }) => reason)).toEqual(hostile.map(() => 'invalid'))
})

describe('K4 treelineFull replaces only text that was cut, by the text it was cut from', () => {
  test.each([
    '/id',
    '/type',
    '/nowhere',
    '/message',
    '/message/content/length',
    '/message/__proto__/x',
    'message',
    '',
    '/',
  ])('%j is refused', async (pointer) => {
    const blobs = memoryBlobs()
    const ref = await blobs.put(Buffer.from('another text'))
    const stored = entry({ message: { content: ['said'] }, treelineFull: { [pointer]: ref } })
    const { entry: restored, unresolved } = await resolveBlobs(stored, blobs.read)
    expect(restored).toBe(stored)
    expect(unresolved).toEqual([{ pointer, ref, reason: 'invalid' }])
  })

  test('the blob of another text is refused', async () => {
    const blobs = memoryBlobs()
    const stored = await externalise(entry({ text: LONG }), blobs.put)
    const ref = await blobs.put(Buffer.from(`not ${LONG}`))
    const forged: Entry = { ...stored, treelineFull: { '/text': ref } }
    const { entry: restored } = await resolveBlobs(forged, blobs.read)
    expect(restored.text).toBe(stored.text)
  })

  test.each([null, 7, 'text', [REF], { '/text': 7 }])('%j does no harm', async (treelineFull) => {
    const stored = entry({ text: 'said', treelineFull })
    expect((await resolveBlobs(stored, memoryBlobs().read)).entry).toBe(stored)
  })
})

test('I3 a blob that is too long for a text takes nothing else of its entry with it', async () => {
  const blobs = memoryBlobs()
  const png = await blobs.put(Buffer.from('png'))
  // Room that nobody touches is not taken.
  const long = new Uint8Array(403 * 1024 * 1024)
  const read = async (ref: Parameters<typeof blobs.read>[0]) => (ref === REF ? long : blobs.read(ref))
  const stored = entry({ message: { content: [image(png), image(REF)] } })
  const { entry: restored, unresolved } = await resolveBlobs(stored, read)
  expect(restored.message).toEqual({ content: [image('cG5n'), image(REF)] })
  expect(unresolved).toMatchObject([{ ref: REF, reason: 'damaged' }])
})
