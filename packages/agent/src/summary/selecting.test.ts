import { describe, expect, test } from 'vitest'
import { selectNode } from './selecting.ts'
import { ask, converse, openStore, stores } from './testing/stores.ts'

/** Large enough to be kept as a blob. */
const PICTURE = Buffer.alloc(3_000, 7).toString('base64')

describe.each(stores)('selecting a node, %s store', (kind) => {
  test('M9 what a person said goes into the editor and the leaf above it; anything else is gone on from', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2')
    const { seq } = session
    expect(await selectNode(session, 'u2')).toEqual({ leafId: 'a1', editorText: 'says u2' })
    expect(await selectNode(session, 'a1')).toEqual({ leafId: 'a1' })
    expect(await selectNode(session, 'u1')).toEqual({ leafId: null, editorText: 'says u1' })
    expect([session.seq, session.leafId]).toEqual([seq, 'u2'])
  })

  test('M9 long text and images come back whole', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    const long = 'long '.repeat(120_000)
    const image = { type: 'image', data: PICTURE, mimeType: 'image/png' }
    await ask(session, 'u1', [{ type: 'text', text: long }, image, { type: 'text', text: 'end' }])
    expect(JSON.stringify(await session.readEntry('u1'))).not.toContain(PICTURE)
    const { editorText, editorImages, editorContent } = await selectNode(session, 'u1')
    expect(editorText === `${long}\nend`).toBe(true)
    expect(editorImages).toEqual([image])
    expect(editorContent?.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
  })
})

describe('selecting', () => {
  test('a program’s message is taken up like a prompt; a merge is gone on from', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    const note = { type: 'custom_message', customType: 'x/note', content: 'a note', display: true }
    const { id } = await session.append(note)
    expect(await selectNode(session, id)).toEqual({ leafId: 'a1', editorText: 'a note' })
    const merge = await session.append({ ...note, customType: 'treeline/merge' })
    expect(await selectNode(session, merge.id)).toEqual({ leafId: merge.id })
  })

  test('the model that was chosen before a prompt stays chosen, unless the prompt was moved away from it', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await session.append({ type: 'model_change', id: 'm0', model: 'p/small' })
    await converse(session, 'u1', 'a1')
    await session.append({ type: 'model_change', id: 'm1', model: 'p/big' })
    await session.setLabel('a1', 'here')
    await converse(session, 'u2')
    expect(await selectNode(session, 'u2')).toMatchObject({ leafId: 'm1' })
    expect(await selectNode(session, 'u1')).toMatchObject({ leafId: 'm0' })
    await session.edit({ operations: [{ op: 'graft', sourceId: 'u2', targetId: 'u1' }] })
    expect(await selectNode(session, 'u2')).toMatchObject({ leafId: 'u1' })
  })

  test('files that went with a prompt do not come back as text: it names them', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const file = { type: 'text', text: '<file path="x.png">\n[png]\n</file>' }
    await ask(session, 'u1', [{ type: 'text', text: 'See @x.png' }, image, file, image])
    const selected = await selectNode(session, 'u1')
    expect(selected).toMatchObject({ editorText: 'See @x.png', editorImages: [image] })
    expect(JSON.stringify(selected)).not.toContain('<file')
  })

  test('a copy is taken up where it is', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2', 'a2')
    const idMap = { u2: 'k1', a2: 'k2' }
    await session.edit({ operations: [{ op: 'graft', sourceId: 'u2', targetId: 'u1', mode: 'copy', idMap }] })
    expect(await selectNode(session, 'k1')).toEqual({ leafId: 'u1', editorText: 'says u2' })
    expect(await selectNode(session, 'k2')).toEqual({ leafId: 'k2' })
  })

  test('what is not there, in the stash or deleted cannot be selected; odd content gives no text', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2', 'a2', 'u3')
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['u3'] }] })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2' }] })
    await expect(selectNode(session, 'zz')).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(selectNode(session, 'u3')).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(selectNode(session, 'a2')).rejects.toMatchObject({ code: 'node_detached' })
    for (const [i, content] of [null, 7, [null, 'x', { type: 'image' }, { type: 'text', text: 3 }]].entries()) {
      await ask(session, `u9${i}`, content)
      expect(await selectNode(session, `u9${i}`)).toMatchObject({ editorText: '' })
    }
  })
})
