import { attachedLeaf, type EditRequestOp, Flag, nodePath, ROOT, type Tree, TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from '../session/session.ts'
import { runs } from '../testing/runs.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { lookAt } from './look.ts'
import { assistant, generation, model, user } from './say.ts'
import { RealSession } from './tree-commands.ts'

const pick = fc.record({ a: fc.nat(1000), b: fc.nat(1000), flag: fc.boolean() })
const APPENDS = ['say', 'say', 'chain', 'model', 'generation', 'end'] as const
const EDITS = ['copy', 'copy', 'splice', 'delete', 'prune', 'move', 'restore', 'leaf', 'label', 'undo', 'redo'] as const
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...APPENDS), pick) },
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...EDITS), pick) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('reopen' as const), pick) },
  ),
  { maxLength: 40, size: 'max' },
)
type Step = [(typeof APPENDS)[number] | (typeof EDITS)[number] | 'reopen', { a: number; b: number; flag: boolean }]

function nodesOf({ columns, ids }: Tree, flag: number): string[] {
  const refs = Array.from({ length: ids.count }, (_, ref) => ref).filter((ref) => columns.has(ref, flag))
  return refs.filter((ref) => columns.has(ref, Flag.node)).map((ref) => ids.textOf(ref))
}

function trunkTo(tree: Tree, id: string | null): string[] {
  return id === null ? [] : nodePath(tree, tree.ids.find(id)).map((ref) => tree.ids.textOf(ref))
}

/** In the stash nobody goes on: then it is where that part was cut off (V6). */
function attached(tree: Tree, id: string | null): string | null {
  const ref = attachedLeaf(tree, id === null ? ROOT : tree.ids.find(id))
  return ref === ROOT ? null : tree.ids.textOf(ref)
}

function toOperation(session: Session, [what, { a, b, flag }]: Step): EditRequestOp {
  const { tree } = session
  const all = nodesOf(tree, Flag.node)
  const nodeId = all[a % all.length] ?? 'none'
  const targetId = flag ? null : all[b % all.length]!
  const deleted = nodesOf(tree, Flag.deleted)
  if (what === 'copy') return { op: 'graft', sourceId: nodeId, targetId, mode: 'copy' }
  if (what === 'move') return { op: 'graft', sourceId: nodeId, targetId }
  if (what === 'splice') return { op: 'delete', nodeIds: [nodeId], how: 'splice' }
  if (what === 'delete') return { op: 'delete', nodeIds: [nodeId] }
  if (what === 'prune') return { op: 'prune', nodeId, include: 'self' }
  if (what === 'restore') return { op: 'restore', nodeIds: [deleted[a % Math.max(1, deleted.length)] ?? nodeId] }
  if (what === 'leaf') return { op: 'leaf', leafId: flag ? null : nodeId }
  return { op: 'label', nodeId, label: `label ${b}` }
}

/** Appends under the leaf, under a copy, or anywhere; what is acknowledged must be seen there. */
async function append({ session }: RealSession, [what, { a, b, flag }]: Step, id: string): Promise<void> {
  const { tree } = session
  const copies = nodesOf(tree, Flag.copy)
  const places = a % 3 === 0 && copies.length > 0 ? copies : [null, ...nodesOf(tree, Flag.node)]
  const given = a % 4 === 1 ? undefined : places[a % places.length]!
  const parentId = given === undefined ? session.leafId : given
  const before = trunkTo(tree, parentId)
  const nodes = [null, ...nodesOf(tree, Flag.node)]
  const leafAfter = flag ? nodes[b % nodes.length]! : undefined
  const drafts = {
    chain: [user(id, id), model(id, `m${id}`), assistant(id, `x${id}`)],
    model: [model(id, id)],
    generation: [generation(`n-${id}`, id)],
    say: [user(id, id)],
  }[what as 'say']
  await session.appendAll(drafts, { parentId: given, leafAfter })
  const added = { chain: [id, `x${id}`], model: [], generation: [`n-${id}`], say: [id] }[what as 'say'] as string[]
  const last = what === 'model' ? id : added.at(-1)!
  expect(trunkTo(session.tree, last)).toEqual([...before, ...added])
  expect(session.leafId).toBe(attached(session.tree, leafAfter === undefined ? last : leafAfter))
}

/** The answer that was announced ends where it is by then, whatever its writer says of its parent. */
async function end({ session }: RealSession, { a, b, flag }: Step[1]): Promise<void> {
  const running = nodesOf(session.tree, Flag.generating)
  const id = running[a % Math.max(1, running.length)]
  if (id === undefined) return
  const before = trunkTo(session.tree, id)
  const leafAfter = flag ? running[b % running.length] : undefined
  await session.append(assistant('done', id), { leafAfter })
  expect(trunkTo(session.tree, id)).toEqual(before)
  expect(session.leafId).toBe(attached(session.tree, leafAfter ?? id))
}

async function carryOut(real: RealSession, step: Step, number: number): Promise<void> {
  const [what, picked] = step
  const { session } = real
  if (what === 'reopen') return real.reopen()
  if (what === 'end') return end(real, picked)
  if ((APPENDS as readonly string[]).includes(what)) return append(real, step, `a${number}`)
  if (what === 'undo') await session.undo()
  else if (what === 'redo') await session.redo()
  else await session.edit({ operations: [toOperation(session, step)] })
}

export function putWhereAskedContract(options: ContractOptions): void {
  describe('whatever was edited', () => {
    const TIMEOUT = { timeout: runs(120_000) }
    test('D1, G2 what is acknowledged is where it was put, also when read afresh', TIMEOUT, async () => {
      await using given = await openGiven(options)
      const run = fc.asyncProperty(steps, async (list) => {
        await using real = await RealSession.create(given)
        for (const [number, step] of list.entries()) {
          try {
            await carryOut(real, step, number)
          } catch (error) {
            // Some make no sense where they come, and are refused.
            if (!(error instanceof TreelineError)) throw error
          }
          expect(real.session.report().problems).toEqual([])
        }
        const look = lookAt(real.session.tree)
        await real.reopen()
        expect(lookAt(real.session.tree)).toEqual(look)
        const { tree, leafId } = real.session
        expect(leafId === null || tree.columns.isAttached(tree.columns.ownerOf(tree.ids.find(leafId)))).toBe(true)
        expect(tree.leaf === ROOT || tree.columns.has(tree.leaf, Flag.known)).toBe(true)
      })
      await fc.assert(run, { numRuns: runs(100) })
    })
  })
}
