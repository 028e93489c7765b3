import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { makeRichSession, PIXEL, writeWhole } from '../testing/rich-session.ts'
import type { JsonChange, JsonNode } from './document.ts'
import { jsonWriter } from './write.ts'

interface Document {
  readonly format: string
  readonly version: number
  readonly session: Readonly<Record<string, unknown>>
  readonly leafId: string | null
  readonly nodes: readonly JsonNode[]
  readonly changes: readonly JsonChange[]
  readonly stash: readonly { readonly id: string; readonly fromParentId: string; readonly nodes: readonly JsonNode[] }[]
}

test('one document with the session after all edits, as documented', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const { text, notes } = await writeWhole(jsonWriter, session)
  const document = JSON.parse(text) as Document
  expect(notes).toEqual([])
  expect(document).toMatchObject({
    format: 'treeline-session',
    version: 1,
    session: {
      id: session.id,
      cwd: '/projects/harbour',
      name: 'Harbour lights, autumn',
      createdAt: session.header.timestamp,
    },
    leafId: 'done0001',
    changes: [{ type: 'model_change', nodeId: null, fields: { modelId: 'demo-1' } }],
  })
  const ids = document.nodes.map((node) => node.id)
  expect(ids).toEqual([
    ...['ask00001', 'look0001', 'list0001', 'tell0001', 'aside001', 'cheese01', 'switch01', 'done0001'],
    ...['other001', 'other002', 'third001', 'third002'],
  ])
  for (const [i, { parentId }] of document.nodes.entries()) {
    expect(parentId === null || ids.indexOf(parentId) < i).toBe(true)
  }
  const node = (id: string) => document.nodes.find((one) => one.id === id)!
  expect(node('aside001')).toMatchObject({ role: 'user', muted: true, text: 'By the way, I like cheese.' })
  expect(node('tell0001').label).toBe('the answer')
  expect(JSON.stringify(node('list0001').message)).toContain(PIXEL)
  expect(document.stash).toMatchObject([
    { id: 'stash001', fromParentId: 'other002', nodes: [{ id: 'stash001' }, { id: 'stash002', parentId: 'stash001' }] },
  ])
})

test('branches: trunk has the path and nothing beside it; an empty session is a document too', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const trunk = JSON.parse(
    (await writeWhole(jsonWriter, session, { branches: 'trunk', leafId: 'other002' })).text,
  ) as Document
  expect(trunk.nodes.map((node) => node.id).slice(-3)).toEqual(['tell0001', 'other001', 'other002'])
  expect(trunk).toMatchObject({ leafId: 'other002', stash: [] })
  await using empty = await store.create({ cwd: '/p' })
  const { text } = await writeWhole(jsonWriter, empty)
  expect(JSON.parse(text)).toMatchObject({ leafId: null, nodes: [], changes: [], stash: [], session: { name: null } })
})

test('K6 redacted: no text of it holds the secret, and the document says that it is best effort', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p', title: 'MY_TOKEN=abcdefgh1' })
  await session.append({
    type: 'message',
    id: 'call0001',
    message: {
      role: 'assistant',
      content: [
        { type: 'toolCall', id: 'c', name: 'run', arguments: { env: ['MY_TOKEN=abcdefgh1'], password: 'hunter2' } },
      ],
    },
  })
  await session.setLabel('call0001', 'MY_TOKEN=abcdefgh1')
  const { text } = await writeWhole(jsonWriter, session, { redact: true })
  expect(text).not.toMatch(/abcdefgh1|hunter2/)
  expect((JSON.parse(text) as Document).session.redacted).toContain('best effort')
})
