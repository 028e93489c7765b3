import { attachedNodes, type EditRequestOp, Flag, ROOT, TreelineError } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readComfytavern } from './comfytavern/read.ts'
import { comfytavernWriter } from './comfytavern/write.ts'
import type { Writer } from './format.ts'
import { readGeneric } from './generic/read.ts'
import { genericWriter } from './generic/write.ts'
import { runs } from './testing/runs.ts'

const SIZE = 10
const id = fc.nat(SIZE - 1).map((n) => `n${n}`)
const operation: fc.Arbitrary<EditRequestOp> = fc.oneof(
  fc.record({ op: fc.constant('mute' as const), nodeIds: fc.array(id, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: fc.constant('prune' as const), nodeId: id, include: fc.constantFrom('self', 'descendants') }),
  fc.record({ op: fc.constant('delete' as const), nodeIds: fc.tuple(id), how: fc.constantFrom('subtree', 'splice') }),
  fc.record({
    op: fc.constant('graft' as const),
    sourceId: id,
    targetId: fc.option(id),
    mode: fc.constantFrom('move', 'copy'),
    index: fc.nat(2),
  }),
  fc.record({ op: fc.constant('leaf' as const), leafId: fc.option(id) }),
)
const parents = fc.array(fc.nat(), { minLength: SIZE, maxLength: SIZE })

/** A tree with some edits on it; those that are not allowed there are passed over. */
async function makeSession(session: Session, links: readonly number[], edits: readonly EditRequestOp[]): Promise<void> {
  for (const [n, link] of links.entries()) {
    const parentId = n === 0 || link % 7 === 0 ? null : `n${link % n}`
    const message = { role: 'user', content: `of ${n}`, timestamp: n }
    await session.append({ type: 'message', id: `n${n}`, message }, { parentId })
  }
  for (const one of edits) {
    try {
      await session.edit({ operations: [one] })
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
    }
  }
}

async function bytesOf(writer: Writer, session: Session): Promise<Uint8Array> {
  const pieces: string[] = []
  await writer.write(session, (piece) => void pieces.push(piece), {})
  return new TextEncoder().encode(pieces.join(''))
}

/** Parent of every node that is in the tree or at the top of, or in, the stash. */
function parentsIn({ tree }: Session): ReadonlyMap<string, string | null> {
  const { columns, edits, ids } = tree
  const refs = [...attachedNodes(tree), ...[...edits.fragments.keys()].flatMap((top) => [...columns.subtree(top)])]
  const parentOf = (ref: number) => (columns.parent[ref]! > ROOT ? ids.textOf(columns.parent[ref]!) : null)
  return new Map(refs.map((ref) => [ids.textOf(ref), parentOf(ref)]))
}

test('after any edits every node is in the file once, under what it hangs under, siblings in order, at the same leaf', async () => {
  await fc.assert(
    fc.asyncProperty(parents, fc.array(operation, { maxLength: 6 }), async (links, edits) => {
      await using store = await openMemoryStore()
      await using session = await store.create({ cwd: '/p' })
      await makeSession(session, links, edits)
      const expected = parentsIn(session)
      const { columns, ids } = session.tree

      const flat = readGeneric({ path: 'x', bytes: await bytesOf(genericWriter, session) })
      expect(new Map(flat.entries.map((entry) => [entry.id, entry.parentId]))).toEqual(expected)
      if (session.leafId !== null) expect(flat.leafId).toBe(session.leafId)

      const file = await bytesOf(comfytavernWriter, session)
      const document = readComfytavern({ path: 'x', bytes: file })
      const { nodes } = JSON.parse(new TextDecoder().decode(file))
      for (const key of expected.keys()) {
        const children = columns.children(ids.find(key)).map((ref) => ids.textOf(ref))
        expect(nodes[key].children).toEqual(children)
        const lines = flat.entries.filter(({ parentId }) => parentId === key).map((entry) => entry.id)
        // The leaf's line comes last, wherever it stands among its siblings.
        const others = (list: readonly string[]) => list.filter((one) => one !== session.leafId)
        expect(others(lines)).toEqual(others(children))
      }
      // Where its lists of children and its parents say the same, there is nothing to note.
      expect(document.notes).toEqual([])
      expect(new Map(document.entries.map((entry) => [entry.id, entry.parentId]))).toEqual(expected)
      expect(document.leafId).toBe(session.leafId)
      const muted = document.operations.flatMap((op) => (op.op === 'mute' ? op.nodeIds : []))
      expect(new Set(muted)).toEqual(
        new Set([...expected.keys()].filter((key) => columns.has(ids.find(key), Flag.muted))),
      )
    }),
    { numRuns: runs(150) },
  )
})
