import { type EditPlan, Flag, ROOT, TreelineError } from '@treeline/core'
import { type Call, createCaller, type EditOp, RefusedError, routes } from '@treeline/protocol'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { readEditOps } from '../../wire/read-edit-op.ts'
import { type Observed, observe, shapeOf } from '../../wire/testing/observe.ts'
import { user } from '../../wire/testing/sample-session.ts'
import { readStored } from './testing/edit-session.ts'
import { readTree } from './testing/read-tree.ts'

const CLIENTS = ['ann', 'bob'] as const
type Client = (typeof CLIENTS)[number]

let server: TestServer
const calls = new Map<Client, Call>()
beforeAll(async () => {
  server = await startTestServer()
  for (const name of CLIENTS) {
    const token = await server.credentials.createToken({ name, scope: 'write' })
    calls.set(name, createCaller({ baseUrl: server.url, token, retries: 0 }))
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const WHAT = [
  'state',
  'prune',
  'cut',
  'move',
  'between',
  'copy',
  'delete',
  'splice',
  'restore',
  'reverse',
  'leaf',
  'rate',
] as const
/** Two nodes and a place, by number: taken of those there are at the time. */
const change = fc.record({
  what: fc.constantFrom(...WHAT),
  a: fc.nat(30),
  b: fc.nat(30),
  index: fc.nat(3),
  on: fc.boolean(),
})
const step = fc.record({
  by: fc.constantFrom(...CLIENTS),
  /** Whether it looks at the tree before; it sends the version it looked at last, or none. */
  looks: fc.boolean(),
  isCareful: fc.boolean(),
  ask: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('state' as const, 'states' as const, 'leaf' as const), change }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) }) },
  ),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('what two clients do by HTTP is what core does, for all who look, and what is refused changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await using store = await openMemoryStore()
      await using model = await store.create({ title: 'Sample' })
      await using made = await server.store.create({ cwd: server.home.paths.home, title: 'Sample' })
      for (const session of [made, model]) {
        for (const id of ['n1', 'n2', 'n3', 'n4']) await session.append(user(id, id))
        for (const id of ['n5', 'n6']) await session.append(user(id, id), { parentId: id === 'n5' ? 'n2' : 'n5' })
      }
      const seen: Record<Client, number> = { ann: made.seq, bob: made.seq }
      for (const [i, one] of steps.entries()) {
        const before = await readTree(server, made.id)
        if (one.looks) seen[one.by] = before.version
        const request = readRequest(model, one, i)
        const baseVersion = one.isCareful ? { baseVersion: seen[one.by] } : {}
        const expected = await outcomeOf(() => request.model({ by: one.by, ...baseVersion }))
        const answered = await outcomeOf(() => request.send(calls.get(one.by)!, made.id, baseVersion))
        expect(answered).toEqual(expected)
        const after = await readTree(server, made.id)
        if (expected !== 'done') expect(after).toEqual(before)
        expect({ ...(await readStored(server, made.id)), version: after.version }).toEqual(after)
        expect(after.version).toBe(model.seq)
        expect(comparable(after)).toEqual(comparable(await observe(model)))
      }
    }),
    { numRuns: runs(8) },
  )
})

interface Request {
  model(request: { readonly by: string; readonly baseVersion?: number }): Promise<EditPlan>
  send(call: Call, sessionId: string, more: { readonly baseVersion?: number }): Promise<unknown>
}

function readRequest(model: Session, { ask }: Step, i: number): Request {
  if (!('change' in ask) && !('changes' in ask)) {
    const which = ask.do
    return {
      model: (request) => model[which](request),
      send: (call, sessionId, more) => call(routes[which], { params: { sessionId }, body: more }),
    }
  }
  if ('changes' in ask) {
    // Of two copies in one edit the second would have ids that only the first one knows.
    const changes = ask.changes.filter(
      (one, j, all) => one.what !== 'copy' || all.findIndex(({ what }) => what === 'copy') === j,
    )
    const operations = changes.map((one) => toOp(model, one, `${i}`))
    return {
      model: async (request) => model.edit({ ...readEditOps(model.tree, operations), ...request }),
      send: (call, sessionId, more) => call(routes.putEdit, { params: { sessionId }, body: { operations, ...more } }),
    }
  }
  const { a, b, on: isEnabled } = ask.change
  const nodeId = pick(model, a)
  const ids = [...new Set([nodeId, pick(model, b)])]
  if (ask.do === 'leaf') {
    return {
      model: (request) => model.edit({ operations: [{ op: 'leaf', leafId: nodeId }], ...request }),
      send: (call, sessionId, more) => {
        return call(routes.putActiveLeaf, { params: { sessionId }, body: { leafId: nodeId, ...more } })
      },
    }
  }
  const nodeIds = ask.do === 'state' ? [nodeId] : ids
  return {
    model: (request) => model.edit({ operations: [{ op: isEnabled ? 'unmute' : 'mute', nodeIds }], ...request }),
    send: (call, sessionId, more) =>
      ask.do === 'state'
        ? call(routes.putNodeState, { params: { sessionId, nodeId }, body: { isEnabled, ...more } })
        : call(routes.putNodesState, {
            params: { sessionId },
            body: { nodes: ids.map((id) => ({ id, isEnabled })), ...more },
          }),
  }
}

async function outcomeOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask()
    return 'done'
  } catch (error) {
    if (error instanceof RefusedError) return error.problem.code
    if (error instanceof TreelineError) return error.code
    throw error
  }
}

function comparable(tree: Observed): unknown {
  return {
    shape: shapeOf(tree),
    fragments: tree.fragments,
    versions: Object.values(tree.nodes).map(({ id, version }) => [id, version]),
  }
}

/** Of all nodes, also those that are deleted, and one that is not there. */
function pick(session: Session, n: number): string {
  const ids = [...nodeIdsOf(session), 'nope']
  return ids[n % ids.length]!
}

function nodeIdsOf({ tree }: Session): string[] {
  const refs = Array.from({ length: tree.ids.count }, (_, ref) => ref)
  return refs.filter((ref) => tree.columns.has(ref, Flag.node)).map((ref) => tree.ids.textOf(ref))
}

function toOp(model: Session, { what, a, b, index, on }: Change, name: string): EditOp {
  const { tree } = model
  const nodeId = pick(model, a)
  const targetId = b === 0 ? null : pick(model, b)
  switch (what) {
    case 'state':
      return { op: 'setEnabled', nodeIds: [nodeId], isEnabled: on, scope: on ? 'ancestors' : 'subtree' }
    case 'prune':
      return { op: 'prune', nodeId }
    case 'cut':
      return { op: 'prune', nodeId, include: 'self' }
    case 'move':
      return { op: 'graft', sourceId: nodeId, targetId, index }
    case 'between':
      return { op: 'graft', sourceId: nodeId, targetId, insertBetween: true }
    case 'copy': {
      // Ids for all that may be under it by then, so that both make the same.
      const idMap = Object.fromEntries(nodeIdsOf(model).map((id, i) => [id, `c${name}-${i}`]))
      return { op: 'graft', sourceId: nodeId, targetId, mode: 'copy', idMap }
    }
    case 'delete':
      return { op: 'delete', nodeIds: [nodeId] }
    case 'splice':
      return { op: 'delete', nodeIds: [nodeId], how: 'splice' }
    case 'restore': {
      const [deleted = tree.ids.find('n1')] = tree.edits.deleted.keys()
      return { op: 'restore', nodeIds: [tree.ids.textOf(deleted)] }
    }
    case 'reverse': {
      const children = tree.columns.children(Math.max(ROOT, tree.ids.find(nodeId))).map((ref) => tree.ids.textOf(ref))
      return { op: 'reorder', parentId: nodeId, childrenIds: children.length === 0 ? [nodeId] : children.toReversed() }
    }
    case 'leaf':
      return { op: 'setActiveLeaf', leafId: targetId, resolve: on ? 'descend' : 'exact' }
    case 'rate':
      return { op: 'setMetadata', nodeId, patch: { rating: (index % 5) + 1, labels: on ? ['x'] : null } }
  }
}
