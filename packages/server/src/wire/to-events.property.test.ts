import { type EditRequestOp, TreelineError } from '@treeline/core'
import type { ChatMessageNode } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from './read-events.ts'
import { Follower } from './testing/follower.ts'
import { observe } from './testing/observe.ts'
import { assistant, generation, openSample, user } from './testing/sample-session.ts'

const ASKED = [
  'mute',
  'unmute',
  'prune',
  'cut',
  'move',
  'between',
  'copy',
  'delete',
  'splice',
  'restore',
  'reverse',
] as const

/** Two nodes and a place, by number: taken of those there are at the time. */
const change = fc.record({ what: fc.constantFrom(...ASKED), a: fc.nat(50), b: fc.nat(50), index: fc.nat(3) })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('say' as const), under: fc.nat(50), isAnnounced: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'undo' as const, 'redo' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 2 }),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const steps = fc.array(step, { minLength: 5, maxLength: 40 })

test('whoever applies every event as it comes has the tree at every step', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      await using sample = await openSample()
      const client = new Follower()
      let row = 0
      for (const [i, one] of plan.entries()) {
        await take(sample.session, one, i)
        row = await catchUp(sample.session, client, row)
        await expectSame(sample.session, client)
      }
    }),
    { numRuns: 60 },
  )
})

test('whoever comes late and applies every event has the tree in the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      await using sample = await openSample()
      for (const [i, one] of plan.entries()) await take(sample.session, one, i)
      const client = new Follower()
      await catchUp(sample.session, client, 0)
      await expectSame(sample.session, client)
    }),
    { numRuns: 60 },
  )
})

async function catchUp(session: Session, client: Follower, from: number): Promise<number> {
  const { tree } = session
  for (let row = from; row < tree.rowCount; row++) {
    for (const event of await readEvents(session, { row, id: tree.ids.textOf(tree.refAtRow(row)) })) client.apply(event)
  }
  return tree.rowCount
}

async function expectSame(session: Session, client: Follower): Promise<void> {
  const { nodes, roots } = await observe(session)
  expect(client.roots).toEqual(roots)
  expect(shown(client.living())).toEqual(shown(Object.values(nodes)))
}

function shown(nodes: readonly ChatMessageNode[]): unknown {
  const told = nodes.map(({ id, parentId, childrenIds, isEnabled, status, content }) => [
    id,
    { parentId, childrenIds, isEnabled, status, content },
  ])
  return Object.fromEntries(told)
}

/** What cannot be done changes nothing, which is as good. */
async function take(session: Session, one: Step, i: number): Promise<void> {
  try {
    await tryStep(session, one, i)
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
  }
}

async function tryStep(session: Session, one: Step, i: number): Promise<void> {
  const { nodes } = await observe(session)
  const ids = Object.keys(nodes)
  switch (one.do) {
    case 'say': {
      const parentId = [null, ...ids][one.under % (ids.length + 1)]!
      await session.append(one.isAnnounced ? generation(`n${i}`) : user(`says ${i}`, `n${i}`), { parentId })
      return
    }
    case 'end': {
      const id = ids.find((each) => nodes[each]!.status === 'generating')
      if (id !== undefined) await session.append(assistant('done', { id }))
      return
    }
    case 'undo':
    case 'redo':
      await session[one.do]()
      return
    default:
      if (ids.length > 0) await session.edit({ operations: one.changes.map((each) => toOp(session, nodes, each)) })
  }
}

function toOp(
  { tree }: Session,
  nodes: Readonly<Record<string, ChatMessageNode>>,
  { what, a, b, index }: Change,
): EditRequestOp {
  const ids = Object.keys(nodes)
  const nodeId = ids[a % ids.length]!
  const targetId = [null, ...ids][b % (ids.length + 1)]!
  switch (what) {
    case 'mute':
    case 'unmute':
      return { op: what, nodeIds: [nodeId] }
    case 'prune':
      return { op: 'prune', nodeId }
    case 'cut':
      return { op: 'prune', nodeId, include: 'self' }
    case 'move':
      return { op: 'graft', sourceId: nodeId, targetId, index }
    case 'between':
      return { op: 'graft', sourceId: nodeId, targetId, insertBetween: true }
    case 'copy':
      return { op: 'graft', sourceId: nodeId, targetId, mode: 'copy', index }
    case 'delete':
      return { op: 'delete', nodeIds: [nodeId], onGenerating: 'cancel' }
    case 'splice':
      return { op: 'delete', nodeIds: [nodeId], how: 'splice', onGenerating: 'cancel' }
    case 'restore':
      return { op: 'restore', nodeIds: [...tree.edits.deleted.keys()].map((ref) => tree.ids.textOf(ref)) }
    case 'reverse':
      return { op: 'reorder', parentId: nodeId, childrenIds: nodes[nodeId]!.childrenIds.toReversed() }
  }
}
