import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type BlobRef, isBlobRef } from '../blobs/blob-ref.ts'
import type { Session } from '../session/session.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf } from './look.ts'
import { custom, user } from './say.ts'

const png = Buffer.from(Array.from({ length: 6000 }, (_, i) => (i * 31) % 256))

function withImage(data: string, id?: string) {
  const content = [
    { type: 'text', text: 'look' },
    { type: 'image', data, mimeType: 'image/png' },
  ]
  return { type: 'message', ...(id && { id }), message: { role: 'user', content, timestamp: 1 } }
}

function sizesOf({ config, tree, name }: Session): readonly unknown[] {
  const { p1 } = config.pastedTextMap as { p1: string }
  return [p1.length, tree.edits.labels.get('q1')?.label.length, name?.length]
}

export function blobsContract(options: ContractOptions): void {
  describe('blobs', () => {
    test('S2 bytes come back by their hash, from any store', async () => {
      await using given = await openGiven(options)
      const ref = await given.store.putBlob(png)
      expect(ref).toBe(`blob:sha256:${createHash('sha256').update(png).digest('hex')}`)
      expect(await given.store.putBlob(png)).toBe(ref)
      expect(Buffer.from((await (await given.reopen()).readBlob(ref))!).equals(png)).toBe(true)
      const empty = await given.store.putBlob(new Uint8Array())
      expect(await given.store.readBlob(empty)).toHaveLength(0)
    })

    test('S2 a blob that is not there is undefined', async () => {
      await using given = await openGiven(options)
      expect(await given.store.readBlob(`blob:sha256:${'0'.repeat(64)}`)).toBeUndefined()
    })

    test.each(['blob:sha256:../../etc/passwd', `blob:sha256:${'A'.repeat(64)}`, '', `blob:sha256:${'0'.repeat(63)}`])(
      'K3 %j is refused as a reference',
      async (ref) => {
        await using given = await openGiven(options)
        await expect(given.store.readBlob(ref as BlobRef)).rejects.toMatchObject({ code: 'validation_failed' })
      },
    )

    test('S31, S32 a large image is stored by reference and comes back with readFull', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const data = png.toString('base64')
      await session.append(withImage(data, 'e1'))
      const other = await (await given.reopen()).open(session.id)
      const stored = (await other.readEntry('e1')) as unknown as { message: { content: [unknown, { data: string }] } }
      expect(isBlobRef(stored.message.content[1].data)).toBe(true)
      expect(await other.readFull('e1')).toMatchObject({ entry: withImage(data, 'e1'), unresolved: [] })
    })

    test('S31 a small image and one that is no plain base64 stay in the line', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      for (const [id, data] of [
        ['small', 'A'.repeat(1000)],
        ['odd', `${'A'.repeat(2000)}\n`],
      ] as const) {
        await session.append(withImage(data, id))
        expect(await session.readEntry(id)).toMatchObject(withImage(data, id))
      }
    })

    test('S31 a long text is cut in the line and whole in readFull; no pair of surrogates is split', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const text = `${'x'.repeat(499_000)}${'🦊'.repeat(50_000)}\ud800`
      await session.append(user(text, 'long'))
      const other = await (await given.reopen()).open(session.id)
      const stored = (await other.readEntry('long')) as unknown as {
        message: { content: string }
        treelineFull: object
      }
      expect(stored.message.content.length).toBeLessThanOrEqual(500_000)
      expect(stored.message.content).toMatch(/\[Session persistence truncated large content\]$/)
      expect(stored.message.content.isWellFormed()).toBe(true)
      expect(Object.keys(stored.treelineFull)).toEqual(['/message/content'])
      const full = await other.readFull('long')
      expect(full!.unresolved).toEqual([])
      expect((full!.entry.message as { content: string }).content === text).toBe(true)
      expect(full!.entry.treelineFull).toBeUndefined()
      const [cut, whole] = [await other.context(), await other.context({ full: true })]
      expect(cut.messages).toMatchObject([{ content: stored.message.content }])
      expect((whole.messages as unknown as { content: string }[])[0]!.content === text).toBe(true)
      const line = await other.line({ full: true })
      expect((line.messages[0]!.content[0] as { text: string }).text.length).toBe(text.length)
    })

    test('S31 signatures are never cut; transient fields are not stored', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const signature = 's'.repeat(600_000)
      await session.append(custom({ thinkingSignature: signature, partialJson: '{', jsonlEvents: [1], kept: 1 }, 'e1'))
      const entry = await session.readEntry('e1')
      expect((entry!.data as { thinkingSignature: string }).thinkingSignature === signature).toBe(true)
      expect(Object.keys(entry!.data as object).sort()).toEqual(['kept', 'thinkingSignature'])
    })

    test('S31 names, labels and settings are whole in their lines, however they came there', async () => {
      await using given = await openGiven(options)
      const { store } = given
      const session = await store.create()
      await session.append(user('q1', 'q1'))
      await session.setConfig({ pastedTextMap: { p1: 'x'.repeat(500_001), partialJson: '{' } })
      const ext = withImage(png.toString('base64')).message
      await session.edit({ operations: [{ op: 'meta', nodeId: 'q1', patch: { ext } }] })
      await session.setLabel('q1', 'y'.repeat(500_001))
      await session.rename('z'.repeat(500_001))
      const entries = await entriesOf(session)
      const appended = await store.create()
      for (const entry of entries) await appended.append(entry)
      const copies = { created: await store.create({ entries }), appended, fork: await store.fork(session) }
      for (const [way, copy] of Object.entries(copies)) {
        expect(sizesOf(copy), way).toEqual(sizesOf(session))
        expect(isDeepStrictEqual(copy.config, session.config), way).toBe(true)
        expect(copy.tree.edits.meta.get(copy.tree.ids.find('q1'))?.get('ext'), way).toEqual(ext)
        await copy.setConfig({ pastedTextMap: null })
        await copy.undo()
        const other = await (await given.reopen()).open(copy.id)
        expect(sizesOf(other), way).toEqual(sizesOf(session))
      }
    })

    test('the caller keeps its own draft: storing changes nothing in it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const draft = withImage(png.toString('base64'), 'e1')
      const copy = structuredClone(draft)
      await session.append(draft)
      expect(draft).toEqual(copy)
    })

    test('I3 a reference to nothing is reported and keeps nothing else from the reader', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const ref = `blob:sha256:${'0'.repeat(64)}`
      await session.append(withImage(ref, 'e1'))
      expect(await session.readFull('e1')).toMatchObject({
        entry: withImage(ref, 'e1'),
        unresolved: [{ pointer: '/message/content/1/data', ref, reason: 'missing' }],
      })
      expect(await session.readFull('nobody')).toBeUndefined()
    })
  })
}
