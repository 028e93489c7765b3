import { appendFileSync } from 'node:fs'
import { nodePath } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { openSessionFile } from '../open-session-file.ts'
import { hasShared, listFixtures, SKIPPED } from '../testing/shared-fixtures.ts'
import { describeFolder, makeTempFolder, toText } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

function said(uuid: string, parentUuid: string | null, role: 'user' | 'assistant'): object {
  const timestamp = '2025-11-14T12:00:02.055Z'
  const content = role === 'user' ? `said ${uuid}` : [{ type: 'text', text: `said ${uuid}` }]
  return { parentUuid, uuid, role, content, type: 'message', timestamp, sessionId: '680831da' }
}

test('a Neovate session is imported with every branch, and again only with what is new', async () => {
  using temp = makeTempFolder()
  const lines = [said('a', null, 'user'), said('b', 'a', 'assistant'), said('c', 'a', 'assistant')]
  const path = temp.plant('projects/p/680831da.jsonl', ...lines)
  const before = describeFolder(`${temp.path}/projects`)
  await using store = await openFileStore({ home: temp.home })
  const first = await importSession(store, path)
  expect(first).toMatchObject({ format: 'neovate', isNew: true, added: 3 })
  expect(await importSession(store, path)).toMatchObject({ ...first, isNew: false, added: 0, skipped: 3, notes: [] })
  expect(describeFolder(`${temp.path}/projects`)).toEqual(before)
  appendFileSync(path, toText([said('d', 'c', 'user'), said('e', 'd', 'assistant')]))
  expect(await importSession(store, path)).toMatchObject({
    sessionId: first.sessionId,
    isNew: false,
    added: 2,
    notes: [],
  })
  await using session = await store.open(first.sessionId)
  const { tree, leafId } = session
  expect(nodePath(tree, tree.ids.find(leafId!)).map((ref) => tree.ids.textOf(ref))).toEqual(['a', 'c', 'd', 'e'])
  expect(session.header.parentSession).toBe('680831da')
  expect(await store.list()).toHaveLength(1)
})

describe.skipIf(!hasShared)(hasShared ? 'every file of Neovate' : SKIPPED, () => {
  test.each(listFixtures('neovate'))('%s is imported whole, once', async (_, path) => {
    using temp = makeTempFolder()
    await using store = await openFileStore({ home: temp.home, durability: 'written' })
    await using opened = await openSessionFile(store, path)
    expect(opened.format).toBe('neovate')
    const imported = await importSession(store, path)
    expect(imported.isNew).toBe(true)
    await using session = await store.open(imported.sessionId)
    expect(session.leafId).toBe(opened.session.leafId)
    expect(await session.context()).toEqual(await opened.session.context())
    const again = await importSession(store, path)
    expect(again).toMatchObject({ isNew: false, added: 0, sessionId: imported.sessionId })
    expect(again.notes.filter(({ message }) => message.includes('since it was imported'))).toEqual([])
  })
})
