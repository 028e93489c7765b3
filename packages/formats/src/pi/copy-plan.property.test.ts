import {
  attachedNodes,
  type EditRequestOp,
  type Entry,
  encodeHeader,
  encodeLine,
  Flag,
  linePath,
  nodePath,
  Role,
  readLog,
  type Tree,
} from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeLines } from '../testing/collect.ts'
import { runs } from '../testing/runs.ts'
import { planCopy } from './copy-plan.ts'
import { piWriter } from './write.ts'

/** What to do next; numbers choose among the nodes there are by then. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), at: fc.nat(), other: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'model',
        'label',
        'mute',
        'unmute',
        'prune',
        'move',
        'copy',
        'splice',
        'delete',
        'leaf',
        'undo',
      ),
      at: fc.nat(),
      other: fc.nat(),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function carryOut(session: Session, { do: what, at, other }: Step, number: number): Promise<void> {
  const nodes = [...attachedNodes(session.tree)].map((ref) => session.tree.ids.textOf(ref))
  const pick = (n: number): string => nodes[n % nodes.length]!
  const message = {
    role: number % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${number}` }],
    timestamp: 1,
  }
  if (what === 'say' || nodes.length === 0) {
    // Most often where the conversation is.
    const under = nodes.length > 0 && at % 4 === 0 ? { parentId: pick(other) } : {}
    await session.append({ type: 'message', id: `n${number}`, message }, under)
    return
  }
  if (what === 'model') {
    const draft = { type: 'model_change', id: `m${number}`, provider: 'p', modelId: `${number}` }
    await session.append(draft, { parentId: pick(at) })
    return
  }
  if (what === 'undo') {
    await session.undo()
    return
  }
  const nodeId = pick(at)
  const operations: Readonly<Record<Exclude<Step['do'], 'say' | 'model' | 'undo'>, EditRequestOp>> = {
    label: { op: 'label', nodeId, label: `${number}` },
    mute: { op: 'mute', nodeIds: [nodeId] },
    unmute: { op: 'unmute', nodeIds: [nodeId] },
    prune: { op: 'prune', nodeId, include: 'self' },
    move: { op: 'graft', sourceId: nodeId, targetId: other % 5 === 0 ? null : pick(other) },
    copy: { op: 'graft', sourceId: nodeId, targetId: pick(other), mode: 'copy' },
    splice: { op: 'delete', nodeIds: [nodeId], how: 'splice' },
    delete: { op: 'delete', nodeIds: [nodeId], how: 'subtree' },
    leaf: { op: 'leaf', leafId: nodeId },
  }
  await session.edit({ operations: [operations[what as keyof typeof operations]] })
}

function pathIn(byId: ReadonlyMap<string, Entry>, id: string | null): Entry[] {
  const path: Entry[] = []
  for (let at = byId.get(id ?? ''); at !== undefined; at = byId.get(at.parentId ?? '')) {
    path.push(at)
    expect(path.length).toBeLessThanOrEqual(byId.size)
  }
  return path.reverse()
}

function isHeard(tree: Tree, ref: number): boolean {
  return !tree.columns.has(ref, Flag.muted) && tree.columns.role[ref] !== Role.toolResult
}

test('whatever was edited, every path of the copy is the path a person sees, and it ends at the leaf', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
      await using store = await openMemoryStore()
      await using session = await store.create({ cwd: '/p' })
      for (const [number, one] of steps.entries()) {
        // Some make no sense where they come.
        await carryOut(session, one, number).catch(() => {})
      }
      const { tree } = session
      expect(tree.problems()).toEqual([])
      const { entries } = await writeLines(piWriter, session)
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      expect(byId.size).toBe(entries.length)
      for (const ref of attachedNodes(tree)) {
        if (!isHeard(tree, ref)) continue
        const id = tree.ids.textOf(ref)
        const path = pathIn(byId, id)
        const heard = nodePath(tree, ref).filter((at) => isHeard(tree, at))
        expect(path.filter(({ type }) => type === 'message').map((entry) => entry.id)).toEqual(
          heard.map((at) => tree.ids.textOf(at)),
        )
        const models = [...linePath(tree, ref).refs].map((at) => tree.ids.textOf(at)).filter((at) => at.startsWith('m'))
        const copied = path.filter(({ type }) => type === 'model_change').map(({ modelId }) => `m${modelId}`)
        expect(copied).toEqual(models)
      }
      const leaf = session.leafId === null ? [] : nodePath(tree, tree.ids.find(session.leafId))
      const last = pathIn(byId, entries.at(-1)?.id ?? null).filter(({ type }) => type === 'message')
      expect(last.map(({ id }) => id)).toEqual(leaf.filter((at) => isHeard(tree, at)).map((at) => tree.ids.textOf(at)))
      const labels = new Map<unknown, unknown>()
      for (const { type, targetId, label } of entries) if (type === 'label') labels.set(targetId, label)
      for (const [id, label] of labels) expect(label).toBe(tree.edits.labels.get(id as string)?.label)
      for (const [id, { label }] of tree.edits.labels) if (byId.has(id)) expect(labels.get(id)).toBe(label)
    }),
    { numRuns: runs(100) },
  )
})

test('G1 an edit that goes to what hangs under it holds nothing up', () => {
  const head = (id: string, parentId: string | null) => ({ id, parentId, timestamp: '2026-01-01T00:00:00.000Z' })
  const edit = (ops: readonly EditRequestOp[]) => ({ customType: 'treeline/edit', data: { ops, inverse: [] } })
  const lines: Entry[] = [
    { type: 'message', ...head('x', null), message: { role: 'user', content: 'x' } },
    { type: 'message', ...head('gone', null), message: { role: 'user', content: 'z' } },
    { type: 'label', ...head('l', 'e'), targetId: 'gone', label: 'z' },
    { type: 'custom', ...head('e', 'x'), ...edit([{ op: 'leaf', leafId: 'l' }]) },
    { type: 'message', ...head('y', 'l'), message: { role: 'user', content: 'y' } },
    { type: 'custom', ...head('d', 'y'), ...edit([{ op: 'delete', nodeIds: ['gone'], how: 'subtree' }]) },
  ]
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' } as const
  const { tree } = readLog(Buffer.concat([encodeHeader(header), ...lines.map((line) => encodeLine(line))]))
  const labels = new Map([[tree.ids.find('l'), 'gone']])
  expect(planCopy(tree, tree.leaf, labels).entries.map(({ id }) => id)).toEqual(['x', 'y'])
  expect([...linePath(tree, tree.ids.find('y')).refs].map((ref) => tree.ids.textOf(ref))).toEqual(['x', 'y'])
})
