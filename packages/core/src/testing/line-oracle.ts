import type { Entry } from '../entry/entry.ts'
import type { OutReason } from '../line/line-message.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import type { TestLog } from './make-tree.ts'
import { asObject, asText, readEntry, type Said } from './said.ts'

/**
 * Which nodes a line must hold, said a second time and as plainly as possible: no care for speed, no code of `line/` or
 * `context/`. `compareLine` holds a line against it.
 */
export interface ExpectedNode {
  readonly nodeId: string
  /** The verdicts that are true of this node; several reasons may be. */
  readonly verdicts: ReadonlySet<'in' | OutReason>
  readonly says: readonly Said[]
  /** The compaction in force speaks first: it stands for what came before. */
  readonly leads: boolean
}

interface Place {
  readonly ref: number
  readonly id: string
  readonly isNode: boolean
  /** Known from the head, also when the body cannot be read. */
  readonly type: string | undefined
  /** Undefined when it cannot be read. */
  readonly entry: Entry | undefined
}

export function expectLine(log: TestLog, leaf: number, unreadable: ReadonlySet<string> = new Set()): ExpectedNode[] {
  const { columns } = log.tree
  const path = trunkWithRunUps(log, leaf, unreadable)
  const isMuted = ({ ref }: Place) => columns.has(ref, Flag.muted)
  const reset = path.findLastIndex(({ type }) => type === 'reset_boundary')
  const force = path.findLastIndex((place, at) => at > reset && !isMuted(place) && isUsableCompaction(place.entry))
  const from = Math.max(reset + 1, force < 0 ? 0 : firstKept(log, path, force))
  const restates = asObject(path[force]?.entry?.systemMessage)?.role === 'system'
  const edits = contextEdits(path.slice(from))
  const expected: ExpectedNode[] = []
  for (const [at, place] of path.entries()) {
    if (!place.isNode) continue
    const named = edits.has(place.id) ? place.id : log.tree.ids.textOf(originOf(log, place.ref))
    const edit = place.type === 'compaction' ? undefined : edits.get(named)
    const { says, reasons } =
      place.entry === undefined ? { says: [], reasons: [] } : readEntry(place.entry, asObject(edit)?.content)
    const verdicts = new Set(reasons)
    const outside: OutReason[] = []
    if (at < reset) outside.push('reset')
    if (at < from && at > reset && at !== force) outside.push('compacted')
    if (at < force && at > reset && place.type === 'compaction') outside.push('compacted')
    // Pi leaves out the system messages that a compaction restates, also those that it keeps.
    if (at < force && at >= from && restates && isSystem(place.entry)) outside.push('compacted')
    if (edit === null) outside.push('omitted')
    if (columns.has(place.ref, Flag.generating)) outside.push('generating')
    else if (place.entry === undefined) outside.push('unreadable')
    for (const reason of outside) verdicts.add(reason)
    if (outside.length > 0) verdicts.delete('in')
    // Whatever else is true of it: what a person did is what a person is told.
    if (isMuted(place)) verdicts.clear()
    if (isMuted(place)) verdicts.add('muted')
    if (verdicts.size === 0) verdicts.add('in')
    expected.push({ nodeId: place.id, verdicts, says, leads: at === force })
  }
  return expected
}

function isUsableCompaction(entry: Entry | undefined): boolean {
  return entry?.type === 'compaction' && asText(entry.summary).trim() !== ''
}

function isSystem(entry: Entry | undefined): boolean {
  return asObject(entry?.message)?.role === 'system'
}

/** Effective parents for the nodes; for what stands between a node and the node it was written under, stored parents and seats. */
function trunkWithRunUps(log: TestLog, leaf: number, unreadable: ReadonlySet<string>): Place[] {
  const { columns, edits, ids } = log.tree
  const place = (ref: number, isNode: boolean): Place => {
    const entry = log.bodyOf(ref)
    const readable = entry !== undefined && !unreadable.has(entry.id)
    return { ref, id: ids.textOf(ref), isNode, type: entry?.type, entry: readable ? entry : undefined }
  }
  const runUp = (from: number) => {
    const places: Place[] = []
    const seen = new Set<number>()
    for (let at = from; at > ROOT && columns.has(at, Flag.known) && !seen.has(at); ) {
      if (columns.has(at, Flag.node) || log.tree.generationNode(at) !== undefined) break
      seen.add(at)
      if (!isAside(log.bodyOf(at)!)) places.unshift(place(at, false))
      at = isAside(log.bodyOf(at)!) ? columns.seatOf(at) : columns.rawParent[at]!
    }
    return places
  }
  const nodes: number[] = []
  for (let at = columns.ownerOf(leaf); at > ROOT; at = columns.parent[at]!) nodes.unshift(at)
  const path: Place[] = []
  const push = (places: readonly Place[]) => {
    for (const found of places) if (!path.some(({ ref }) => ref === found.ref)) path.push(found)
  }
  for (const node of nodes)
    push([...runUp(columns.rawParent[edits.copies.get(node)?.body ?? node]!), place(node, true)])
  if (columns.ownerOf(leaf) !== leaf) push(runUp(leaf))
  return path
}

const ASIDE = new Set(['label', 'session_info', 'title_change', 'usage', 'model_usage', 'credential_pin'])

function isAside({ type, customType }: Entry): boolean {
  if (type !== 'custom') return ASIDE.has(type)
  return asText(customType).startsWith('treeline/') && customType !== 'treeline/generation'
}

/** Where what the compaction keeps begins; itself when it keeps nothing that is still there. */
function firstKept(log: TestLog, path: readonly Place[], force: number): number {
  const { retainedTail, firstKeptEntryId } = path[force]!.entry!
  if (Array.isArray(retainedTail)) return force
  const found = path.findLastIndex(({ id }, at) => at < force && id === firstKeptEntryId)
  return found >= 0 ? found : firstStillThere(log, path, force, asText(firstKeptEntryId))
}

/** The first on the path of what stood, when the compaction was written, from the entry it names down to itself. */
function firstStillThere(log: TestLog, path: readonly Place[], force: number, id: string): number {
  const { tree } = log
  const first = originOf(log, tree.ids.find(id))
  const stretch: number[] = []
  let at = originOf(log, path[force]!.ref)
  while (at > ROOT && tree.columns.has(at, Flag.known) && at !== first && !stretch.includes(at)) {
    stretch.push(at)
    at = originOf(log, tree.above(at))
  }
  if (at <= ROOT || at !== first) return force
  const found = path.findIndex(({ ref }) => [...stretch, at].includes(originOf(log, ref)))
  return found >= 0 && found < force ? found : force
}

/** A copy shows the body of the node it was made from. */
function originOf(log: TestLog, ref: number): number {
  return log.tree.edits.copies.get(ref)?.body ?? ref
}

/** By target, the last that can be used. */
function contextEdits(path: readonly Place[]): Map<string, unknown> {
  const edits = new Map<string, unknown>()
  for (const { entry } of path) {
    if (entry?.type !== 'context_edit' || asText(entry.targetId) === '') continue
    const content = asObject(entry.replacement)?.content
    const usable = entry.replacement === null || typeof content === 'string' || Array.isArray(content)
    if (usable) edits.set(asText(entry.targetId), entry.replacement)
  }
  return edits
}
