import { isDeepStrictEqual } from 'node:util'
import { type EditRequestOp, Flag, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Translation } from '../format.ts'
import { isRecord, type JsonRecord } from '../kept-record.ts'
import { findHere } from './find-new.ts'

/**
 * What a translated file says by now, beside its entries: title, settings, what is muted, rated and in which order. Of it
 * what is not so here, except where somebody here has said something else. With `newIds` only what it says about those
 * nodes: an export of ours may say less than the session does.
 */
export function listStated(
  target: Session,
  translation: Translation,
  newIds: readonly string[] | undefined,
): EditRequestOp[] {
  const { tree } = target
  const isGiven = givenHere(tree)
  const refs = refsOf(tree, newIds ?? translation.entries.map(({ id }) => id))
  const ofNodes = [...stateMuted(tree, translation, refs, isGiven), ...stateMeta(tree, translation, refs, isGiven)]
  if (newIds !== undefined) return ofNodes
  return [
    ...stateName(target, translation, isGiven),
    ...stateConfig(tree, translation, isGiven),
    ...stateSession(tree, translation),
    ...stateOrder(tree, translation, refs, isGiven),
    ...ofNodes,
  ]
}

/** Whether a value is what somebody here made it; imports say of what they write that nobody did it. */
type IsGiven = (value: string) => boolean

function givenHere(tree: Tree): IsGiven {
  const { records, stamps } = tree.edits
  const byHand = new Set(records.filter(({ auto }) => !auto).map(({ line }) => line))
  return (value) => byHand.has(stamps.get(value) ?? -1)
}

/** The nodes of the file, as they are here, by their id there. */
function refsOf(tree: Tree, ids: readonly string[]): ReadonlyMap<string, number> {
  const refs = new Map<string, number>()
  for (const id of ids) {
    const here = findHere(tree, id)
    const ref = here === undefined ? ROOT : tree.ids.find(here)
    if (ref > ROOT && tree.columns.has(ref, Flag.node)) refs.set(id, ref)
  }
  return refs
}

function stateName(target: Session, { title }: Translation, isGiven: IsGiven): EditRequestOp[] {
  const name = title?.trim() || undefined
  if (isGiven('name') || (target.name?.trim() || undefined) === name) return []
  return [{ op: 'name', name: name ?? null }]
}

function stateConfig({ edits }: Tree, { operations }: Translation, isGiven: IsGiven): EditRequestOp[] {
  const said = new Map(operations.flatMap((op) => (op.op === 'config' ? Object.entries(op.patch) : [])))
  const patch: [string, unknown][] = []
  for (const key of new Set([...edits.config.keys(), ...said.keys()])) {
    const value = said.get(key) ?? null
    const isSaid = isDeepStrictEqual(edits.config.get(key) ?? null, value)
    if (!isSaid && !isGiven(`config:${key}`)) patch.push([key, value])
  }
  return patch.length === 0 ? [] : [{ op: 'config', patch: Object.fromEntries(patch) }]
}

/** Only what the format keeps for itself, which nobody else writes. */
function stateSession({ edits }: Tree, { operations }: Translation): EditRequestOp[] {
  const now: JsonRecord = isRecord(edits.session.get('ext')) ? (edits.session.get('ext') as JsonRecord) : {}
  const said = operations.flatMap((op) => (op.op === 'session' && isRecord(op.patch.ext) ? [op.patch.ext] : []))
  const ext = Object.assign({}, now, ...said)
  return isDeepStrictEqual(ext, now) ? [] : [{ op: 'session', patch: { ext } }]
}

/** Siblings in the order of the file; those that came here keep the place they have between them. */
function stateOrder(tree: Tree, translation: Translation, refs: ReadonlyMap<string, number>, isGiven: IsGiven) {
  const { columns, ids } = tree
  const ranks = new Map<number, number>()
  for (const ref of refs.values()) ranks.set(ref, ranks.size)
  for (const op of translation.operations) {
    if (op.op !== 'reorder') continue
    const listed = op.childrenIds.flatMap((id) => refs.get(id) ?? [])
    const places = listed.map((ref) => ranks.get(ref)!).sort((a, b) => a - b)
    listed.forEach((ref, i) => {
      ranks.set(ref, places[i]!)
    })
  }
  const parents = new Set([...refs.values()].map((ref) => columns.parent[ref]!))
  return [...parents].flatMap((parent): EditRequestOp[] => {
    if (parent < ROOT) return []
    const now = columns.children(parent)
    const theirs = now.filter((ref) => ranks.has(ref)).sort((a, b) => ranks.get(a)! - ranks.get(b)!)
    const wanted = now.map((ref) => (ranks.has(ref) ? theirs.shift()! : ref))
    const isSame = wanted.every((ref, i) => ref === now[i])
    if (isSame || isGiven(`order:${parent}`) || now.some((ref) => isGiven(`place:${ref}`))) return []
    const parentId = parent === ROOT ? null : ids.textOf(parent)
    return [{ op: 'reorder', parentId, childrenIds: wanted.map((ref) => ids.textOf(ref)) }]
  })
}

function stateMuted(tree: Tree, { operations }: Translation, refs: ReadonlyMap<string, number>, isGiven: IsGiven) {
  const muted = new Set(operations.flatMap((op) => (op.op === 'mute' ? op.nodeIds : [])))
  const change = (op: 'mute' | 'unmute'): EditRequestOp[] => {
    const changed = [...refs].filter(([id, ref]) => {
      const isMuted = tree.columns.has(ref, Flag.muted)
      return muted.has(id) !== isMuted && isMuted === (op === 'unmute') && !isGiven(`muted:${ref}`)
    })
    return changed.length === 0 ? [] : [{ op, nodeIds: changed.map(([, ref]) => tree.ids.textOf(ref)) }]
  }
  return [...change('mute'), ...change('unmute')]
}

function stateMeta(tree: Tree, { operations }: Translation, refs: ReadonlyMap<string, number>, isGiven: IsGiven) {
  const said = new Map(operations.flatMap((op) => (op.op === 'meta' ? [[op.nodeId, op.patch] as const] : [])))
  return [...refs].flatMap(([id, ref]): EditRequestOp[] => {
    const now = tree.edits.meta.get(ref)
    const patch = said.get(id)
    if (now === undefined && patch === undefined) return []
    const keys = new Set([...(now?.keys() ?? []), ...Object.keys(patch ?? {})])
    const changed = [...keys].flatMap((key): [string, unknown][] => {
      const value = patch?.[key] ?? null
      const isSaid = isDeepStrictEqual(now?.get(key) ?? null, value)
      return isSaid || isGiven(`meta:${ref}:${key}`) ? [] : [[key, value]]
    })
    return changed.length === 0
      ? []
      : [{ op: 'meta', nodeId: tree.ids.textOf(ref), patch: Object.fromEntries(changed) }]
  })
}
