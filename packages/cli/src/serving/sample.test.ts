import { listBranches, listFragments } from '@treeline/core'
import { openFileStore, openHome, trashSession } from '@treeline/store'
import { expect, test } from 'vitest'
import { tempFolder } from '../testing/run-treeline.ts'
import { makeSample } from './sample.ts'

test('the sample shows branches, two answers, a stash, muted nodes, labels and a compaction, and says what it is', async () => {
  const folder = tempFolder()
  using home = openHome({ home: `${folder}/home` })
  await using store = await openFileStore({ home: home.paths.home })
  const id = await makeSample(home, store, folder)
  await using session = await store.open(id!)
  expect(session.name).toMatch(/^Sample: /)
  expect(listBranches(session.tree)).toHaveLength(3)
  expect(listFragments(session.tree)).toMatchObject([{ nodeCount: 2, title: 'Rust, for another day' }])
  const { nodes, messages } = await session.line()
  const reasons = nodes.flatMap((node) => (node.in ? [] : node.reason))
  expect(new Set(reasons)).toEqual(new Set(['muted', 'compacted']))
  const line = JSON.stringify(messages)
  expect(line).toContain('Decided')
  // What was muted, cut off or covered by the summary is not sent.
  expect(line).not.toMatch(/sku=1042|Rust|LRU or LFU|class LfuCache/)
  expect(JSON.stringify(messages.at(-1))).toContain('above 70 %')
  expect([...session.tree.edits.labels.values()].map(({ label }) => label).sort()).toEqual(['decided', 'why not LRU'])
})

test('it is made in a home that never had a session, and nowhere else', async () => {
  const folder = tempFolder()
  using home = openHome({ home: `${folder}/home` })
  await using store = await openFileStore({ home: home.paths.home })
  const id = await makeSample(home, store, folder)
  expect(await makeSample(home, store, folder)).toBeUndefined()
  expect(await store.list()).toHaveLength(1)
  // Who has thrown it away does not get it again.
  await trashSession(home, id!)
  expect(await makeSample(home, store, folder)).toBeUndefined()
})
