import { type EntryDraft, linePath } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openMemoryStore } from '../memory-store.ts'
import { KeptFinder } from './kept-finder.ts'

function compaction(id: string, firstKeptEntryId: string): EntryDraft {
  return { type: 'compaction', id, summary: id, firstKeptEntryId, tokensBefore: 1 }
}

test('S24 it finds what a search along the path finds, whatever was deleted or moved', async () => {
  const edit = fc.record({ isMove: fc.boolean(), from: fc.nat(11), to: fc.nat(11) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(13), { minLength: 12, maxLength: 12 }), fc.array(edit), async (kept, edits) => {
      await using store = await openMemoryStore()
      await using session = await store.create()
      await session.appendAll(kept.map((at, i) => (i % 3 === 2 ? compaction(`e${i}`, `e${at}`) : user('', `e${i}`))))
      for (const { isMove, from, to } of edits) {
        const move = { op: 'graft', sourceId: `e${from}`, targetId: `e${to}` } as const
        const splice = { op: 'delete', nodeIds: [`e${from}`], how: 'splice' } as const
        // Some cannot be done, under oneself or twice: then the tree stays as it is.
        await session.edit({ operations: [isMove ? move : splice] }).catch(() => {})
      }
      const { tree } = session
      const path = linePath(tree, tree.leaf)
      const finder = new KeptFinder(tree, tree.leaf)
      path.refs.forEach((ref, position) => {
        const at = Number(path.idAt(position).slice(1))
        if (at % 3 !== 2) return
        const first = `e${kept[at]}`
        const direct = [...path.refs.subarray(0, position)].findIndex((above) => tree.ids.textOf(above) === first)
        const expected = direct >= 0 ? direct : linePath(tree, ref).findKept(first, position)
        expect(finder.find(ref, first)).toBe(expected)
      })
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['the entry before', false],
  ['one that was deleted since', true],
])('P a fork with 10,000 compactions, each keeping %s, is made in one pass', async (_name, isDeleted) => {
  await using store = await openMemoryStore({ durability: 'written' })
  const session = await store.create()
  const first = isDeleted ? () => 'e1' : (i: number) => `e${i - 1}`
  const drafts = Array.from({ length: 20_000 }, (_, i) => (i % 2 ? compaction(`e${i}`, first(i)) : user('x', `e${i}`)))
  await session.appendAll([user('x', 'top'), ...drafts])
  if (isDeleted) await session.edit({ operations: [{ op: 'delete', nodeIds: ['e1'], how: 'splice' }] })
  const start = performance.now()
  const fork = await store.fork(session)
  expect(performance.now() - start).toBeLessThan(2500)
  expect(await fork.line()).toEqual(await session.line())
})
