import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore, type SessionStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import type { WriterName } from '../format.ts'
import { loadWriter } from '../registry.ts'
import { makeTempFolder, type TempFolder, toText } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

const AT = '2025-11-14T12:00:02.055Z'

function openStore(temp: TempFolder): Promise<SessionStore> {
  return openFileStore({ home: temp.home, durability: 'written' })
}

async function exported(store: SessionStore, id: string, format: WriterName): Promise<string> {
  await using session = await store.open(id)
  const pieces: string[] = []
  await (await loadWriter(format)).write(session, (piece) => void pieces.push(piece), {})
  return pieces.join('')
}

function said(uuid: string, parentUuid: string | null, more: object = {}): object {
  return {
    parentUuid,
    uuid,
    role: 'user',
    content: `said ${uuid}`,
    type: 'message',
    timestamp: AT,
    sessionId: '6808',
    ...more,
  }
}

describe('Neovate, a file that has grown', () => {
  const config = (more: object) => ({ type: 'config', config: { approvalMode: 'default', approvalTools: [], ...more } })
  const start = [said('a', null), said('b', 'a')]
  const stages: readonly (readonly object[])[] = [
    start,
    [config({}), ...start, said('c', 'b')],
    // Only the settings are others.
    [config({ summary: 'Named', planSlug: 'one' }), ...start, said('c', 'b')],
    [config({ approvalMode: 'yolo', summary: 'Renamed', planSlug: 'two' }), ...start, said('c', 'b'), said('d', 'a')],
    // A key is gone, and there are lines of a type that nobody knows.
    [
      config({ planSlug: 'two' }),
      ...start,
      said('c', 'b'),
      said('d', 'a'),
      { type: 'checkpoint', n: 1 },
      said('e', 'd'),
    ],
    [
      config({}),
      ...start,
      said('c', 'b'),
      said('d', 'a'),
      { type: 'checkpoint', n: 1 },
      said('e', 'd'),
      { type: 'checkpoint', n: 2 },
    ],
    // Back to what was before.
    [
      config({ planSlug: 'two' }),
      ...start,
      said('c', 'b'),
      said('d', 'a'),
      { type: 'checkpoint', n: 1 },
      said('e', 'd'),
      { type: 'checkpoint', n: 2 },
    ],
  ]

  test('N30 settings, lines of other types and messages come: written back it is the grown file', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const ids = new Set<string>()
    for (const stage of stages) {
      const path = temp.plant('6808.jsonl', ...stage)
      const { sessionId, notes } = await importSession(store, path)
      ids.add(sessionId)
      expect(notes.filter(({ kind }) => kind !== 'info')).toEqual([])
      expect(await exported(store, sessionId, 'neovate')).toBe(toText(stage))
      // Nothing is new now, and nothing is written.
      const before = readFileSync((await importSession(store, path)).path, 'utf8')
      expect(await importSession(store, path)).toMatchObject({ added: 0, isNew: false })
      expect(readFileSync((await importSession(store, path)).path, 'utf8')).toBe(before)
    }
    expect(ids.size).toBe(1)
  })

  test('what was set and named here stays, the rest is taken', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const path = temp.plant('6808.jsonl', config({ summary: 'Theirs' }), ...start)
    const { sessionId } = await importSession(store, path)
    {
      await using session = await store.open(sessionId)
      await session.edit({ operations: [{ op: 'config', patch: { approvalMode: 'autoEdit' } }] })
      await session.rename('Mine')
    }
    temp.plant(
      '6808.jsonl',
      config({ approvalMode: 'yolo', approvalTools: ['bash'], summary: 'New' }),
      ...start,
      said('c', 'b'),
    )
    expect(await importSession(store, path)).toMatchObject({ sessionId, isNew: false })
    await using session = await store.open(sessionId)
    expect(session.name).toBe('Mine')
    expect(session.config).toMatchObject({ approvalMode: 'autoEdit', approvalTools: ['bash'] })
    expect(session.leafId).toBe('b')
  })
})

describe('generic, a file that has grown', () => {
  const line = (id: string, parentId: string | null, more: object = {}) => ({
    id,
    parentId,
    timestamp: 1,
    type: 'user',
    content: id,
    ...more,
  })

  test('P9 unknown types and metadata come too: written back it is the grown file', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const lines: object[] = [line('1', null), line('2', '1', { type: 'assistant' })]
    const path = temp.plant('chat.jsonl', ...lines)
    const { sessionId } = await importSession(store, path)
    for (const more of [
      [{ id: 'x', parentId: '2', timestamp: 3, type: 'checkpoint', content: 'c', data: [1] }, line('3', 'x')],
      [
        line('4', '1', { type: 'tool_call', content: 'read a', metadata: { k: 1 } }),
        line('5', '4', { type: 'tool_result' }),
      ],
      [{ parentId: '5', timestamp: 'soon', type: 'user', content: 'nameless' }],
      [line('6', '2')],
    ]) {
      lines.push(...more)
      appendFileSync(path, toText(more))
      expect(await importSession(store, path)).toMatchObject({ sessionId, added: more.length })
      expect(await exported(store, sessionId, 'generic')).toBe(toText(lines))
    }
    expect(await importSession(store, path)).toMatchObject({ sessionId, added: 0 })
  })
})

describe('ComfyTavern, a document that has grown', () => {
  const node = (id: string, parentId: string | null, childrenIds: string[], more: object = {}) => ({
    id,
    parentId,
    childrenIds,
    role: 'user',
    content: id,
    timestamp: AT,
    isEnabled: true,
    status: 'complete',
    ...more,
  })
  const seed = (nodes: readonly { readonly id: string }[], more: object) => ({
    sessionId: 'chat',
    nodes: Object.fromEntries(nodes.map((one) => [one.id, one])),
    rootNodeId: 'a',
    createdAt: AT,
    updatedAt: AT,
    ...more,
  })
  const rated = (id: string, parentId: string, rating: number, more: object = {}) =>
    node(id, parentId, [], { metadata: { rating }, ...more })
  const stages = [
    seed([node('a', null, ['b']), rated('b', 'a', 2)], { activeLeafId: 'b', title: 'One' }),
    seed([node('a', null, ['b']), rated('b', 'a', 2)], {
      activeLeafId: 'a',
      title: 'Two',
      version: 7,
      metadata: { k: [1] },
    }),
    seed(
      [
        node('a', null, ['c', 'b']),
        rated('b', 'a', 3, { isEnabled: false }),
        node('c', 'a', ['d']),
        rated('d', 'c', 4, { isEnabled: false }),
      ],
      { activeLeafId: 'd', title: 'Two', version: 8 },
    ),
    seed([node('a', null, ['b', 'c']), rated('b', 'a', 2), node('c', 'a', ['d']), rated('d', 'c', 1)], {
      activeLeafId: 'b',
      title: '',
      version: 9,
    }),
  ]

  test('T19 nodes, title, version, order, what is muted and rated come: written back it is the grown document', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const ids = new Set<string>()
    for (const stage of stages) {
      const { sessionId, notes } = await importSession(store, temp.plant('chat.json', JSON.stringify(stage)))
      ids.add(sessionId)
      expect(notes).toEqual([])
      expect(JSON.parse(await exported(store, sessionId, 'comfytavern'))).toEqual(stage)
    }
    expect(ids.size).toBe(1)
  })

  test('what was muted, rated and named here stays', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const path = temp.plant('chat.json', JSON.stringify(stages[0]))
    const { sessionId } = await importSession(store, path)
    {
      await using session = await store.open(sessionId)
      await session.edit({
        operations: [
          { op: 'mute', nodeIds: ['a'] },
          { op: 'meta', nodeId: 'b', patch: { rating: 5 } },
        ],
      })
      await session.rename('Mine')
    }
    writeFileSync(path, JSON.stringify(stages[2]))
    await importSession(store, path)
    await using session = await store.open(sessionId)
    const { tree } = session
    expect(session.name).toBe('Mine')
    expect(tree.edits.meta.get(tree.ids.find('b'))?.get('rating')).toBe(5)
    const mutedHere = (await session.line({ leafId: 'b' })).nodes.map(({ nodeId, in: isIn }) => [nodeId, isIn])
    expect(mutedHere).toEqual([
      ['a', false],
      ['b', false],
    ])
  })
})

describe('which session a file is', () => {
  const line = (id: string, content: string) => ({ id, parentId: null, timestamp: 1, type: 'user', content })

  test('P9 a renamed copy is the same session, with and without ids', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    for (const [name, first] of [
      ['a', line('1', 'Hi')],
      ['b', { timestamp: 5, type: 'user', id: '', content: 'x' }],
    ] as const) {
      const { sessionId } = await importSession(store, temp.plant(`${name}.jsonl`, first), { format: 'generic' })
      const copy = join(temp.path, `${name} copy.jsonl`)
      copyFileSync(join(temp.path, `${name}.jsonl`), copy)
      appendFileSync(copy, toText([line('2', 'more')]))
      expect(await importSession(store, copy, { format: 'generic' })).toMatchObject({
        sessionId,
        isNew: false,
        added: 1,
      })
    }
  })

  test('X17 others are others, although name, ids and times are alike, and stay so', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const document = (content: string) => {
      const a = {
        id: 'a',
        parentId: null,
        childrenIds: [],
        role: 'user',
        content,
        timestamp: AT,
        isEnabled: true,
        status: 'complete',
      }
      return JSON.stringify({
        sessionId: 'chat',
        nodes: { a },
        rootNodeId: 'a',
        activeLeafId: 'a',
        title: '',
        createdAt: AT,
      })
    }
    const files = ['one', 'two', 'three'].flatMap((name) => [
      temp.plant(`${name}/chat.jsonl`, line('1', name), line('2', `${name} more`)),
      temp.plant(`${name}/nameless.jsonl`, { type: 'user', id: '', timestamp: 1, content: name }, line('2', name)),
      temp.plant(`${name}/chat.json`, document(name)),
      temp.plant(`${name}/6808.jsonl`, said('a', null, { content: name })),
    ])
    const first = []
    for (const file of files) first.push(await importSession(store, file))
    expect(first.every(({ isNew }) => isNew)).toBe(true)
    expect(new Set(first.map(({ sessionId }) => sessionId)).size).toBe(files.length)
    for (const [i, file] of [...files.entries()].reverse()) {
      expect(await importSession(store, file)).toMatchObject({ sessionId: first[i]!.sessionId, added: 0, isNew: false })
    }
  })

  test('of two others who come at once each gets its own', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const files = ['one', 'two'].map((name) => temp.plant(`${name}/x.jsonl`, line('1', name)))
    const results = await Promise.all([...files, ...files].map((file) => importSession(store, file)))
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(2)
    expect(results[0]!.sessionId).toBe(results[2]!.sessionId)
    expect(results[0]!.sessionId).not.toBe(results[1]!.sessionId)
    expect(await store.list()).toHaveLength(2)
  })

  test('a document whose first node was deleted is the same session', async () => {
    using temp = makeTempFolder()
    await using store = await openStore(temp)
    const node = (id: string) => ({ id, parentId: null, children: [], role: 'user', content: id, createdAt: AT })
    const document = (...ids: string[]) =>
      JSON.stringify({
        sessionId: 'c',
        createdAt: AT,
        rootNodeIds: ids,
        activeLeafId: ids.at(-1),
        nodes: Object.fromEntries(ids.map((id) => [id, node(id)])),
      })
    const { sessionId } = await importSession(store, temp.plant('c.json', document('a', 'b')))
    expect(await importSession(store, temp.plant('c.json', document('b', 'c')))).toMatchObject({ sessionId, added: 1 })
  })
})
