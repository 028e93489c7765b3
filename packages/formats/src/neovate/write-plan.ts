import { Flag, Kind, ROOT, Role, type Tree } from '@treeline/core'
import type { Chosen } from '../transcript/chosen.ts'
import { type Fields, isFields, type Kept } from './record.ts'

/** What is known of a node before anything is written, because what hangs under it depends on it. */
export interface NodeFacts {
  readonly kept: Kept | undefined
  /** An answer that Treeline wrote, with tool calls in it. */
  readonly isAsking: boolean
  readonly isLeftOut: boolean
}

/** Of a line that was read, what a node is to it. */
interface Part {
  readonly line: string | undefined
  /** Whether it stands for the line. */
  readonly isLine: boolean
}

/**
 * Which nodes become lines, in which order and under which parent.
 *
 * Neovate goes on from the last message of the file (X22), so the leaf is written last. Results of one answer share a
 * line: of a chain of them every end, where something else hangs or nothing, is a line with all results down to it.
 */
export class WritePlan {
  readonly tree: Tree
  readonly leaf: number
  private readonly included: ReadonlySet<number>
  /** Nodes that may share a line with others: results, and parts of a line that was read. */
  private readonly grouped = new Map<number, Part | undefined>()
  private readonly asking = new Set<number>()
  private readonly leftOut = new Set<number>()
  /** The answer above each result that was asked for: a chain of them is climbed once. */
  private readonly answers = new Map<number, number>()
  private readonly cut: ReadonlySet<string>

  constructor(chosen: Chosen) {
    this.tree = chosen.tree
    this.included = new Set(chosen.nodes)
    this.leaf = chosen.trunk.at(-1) ?? ROOT
    const rings = this.tree.problems().filter(({ type }) => type === 'cycle' || type === 'self_parent')
    this.cut = new Set(rings.map((ring) => ('id' in ring ? ring.id : '')))
  }

  learn(ref: number, { kept, isAsking, isLeftOut }: NodeFacts): void {
    if (this.isResult(ref) || kept?.line !== undefined) this.grouped.set(ref, kept && partOf(kept))
    if (isAsking) this.asking.add(ref)
    if (isLeftOut) this.leftOut.add(ref)
  }

  /** Nodes as they come in the log, and what else is in it: rows of other entries as they are met. */
  order(): readonly { readonly ref: number; readonly isNode: boolean }[] {
    const { tree, included } = this
    const items: { ref: number; isNode: boolean }[] = []
    for (let row = 0; row < tree.rowCount; row++) {
      const ref = tree.refAtRow(row)
      if (tree.bodyRow(ref) !== row) continue
      const isNode = included.has(ref)
      if (isNode || tree.columns.kind[ref] === Kind.treeline) items.push({ ref, isNode })
    }
    // Copies have no line of their own.
    for (const ref of included) if (tree.columns.has(ref, Flag.copy)) items.push({ ref, isNode: true })
    const isMoved = items.some(({ ref, isNode }) => isNode && this.hasMoved(ref))
    return this.leafLast(isMoved ? this.parentsFirst(items) : items)
  }

  isLine(ref: number): boolean {
    if (this.isLeftOut(ref)) return false
    return !this.isGrouped(ref) || this.isEnd(ref)
  }

  isGrouped(ref: number): boolean {
    return this.grouped.has(ref)
  }

  isResult(ref: number): boolean {
    return this.tree.columns.role[ref] === Role.toolResult && this.tree.columns.kind[ref] === Kind.message
  }

  /** A result goes with the answer that asked for it; alone it is put in words, see `MUTED`. */
  isLeftOut(ref: number): boolean {
    if (!this.isResult(ref)) return this.leftOut.has(ref) || this.isMuted(ref)
    const answer = this.answerTo(ref)
    return this.tree.columns.role[answer] === Role.assistant && this.isLeftOut(answer)
  }

  isMuted(ref: number): boolean {
    return this.tree.columns.has(ref, Flag.muted)
  }

  /** The nodes that share the line which ends here, first one first. */
  runTo(end: number): readonly number[] {
    const run = [end]
    for (let at = end; this.continues(at, this.parentOf(at)); at = this.parentOf(at)) run.push(this.parentOf(at))
    return run.reverse()
  }

  /** Whether an answer is one of ours, with tool calls that must have results. */
  isAsking(ref: number): boolean {
    return this.asking.has(ref)
  }

  /** The answer whose calls a result belongs to. */
  answerTo(ref: number): number {
    const passed: number[] = []
    let at = ref
    while (at > ROOT && this.isResult(at) && !this.answers.has(at)) {
      passed.push(at)
      at = this.parentOf(at)
    }
    const answer = this.answers.get(at) ?? Math.max(ROOT, at)
    for (const result of passed) this.answers.set(result, answer)
    return answer
  }

  /** Whether calls of an answer are open where the conversation goes on from it, or ends. */
  isInterrupted(ref: number): boolean {
    if (!this.asking.has(ref)) return false
    const below = this.childrenOf(ref)
    return ref === this.leaf || below.length === 0 || below.some((child) => !this.isResult(child))
  }

  /** The node whose line a line hangs under, ROOT for none; and whether that is so by the line's own words. */
  parentLine(ref: number): { readonly parent: number; readonly isAsStored: boolean } {
    const [start = ref] = this.runTo(ref)
    let parent = this.parentOf(start)
    let isAsStored = !this.hasMoved(start)
    for (; parent > ROOT && this.isLeftOut(parent); parent = this.parentOf(parent)) isAsStored = false
    return { parent: Math.max(ROOT, parent), isAsStored }
  }

  hasChildren(ref: number): boolean {
    return this.childrenOf(ref).length > 0
  }

  private parentOf(ref: number): number {
    return this.tree.columns.parent[ref]!
  }

  private childrenOf(ref: number): number[] {
    return this.tree.columns.children(ref).filter((child) => this.included.has(child))
  }

  private isEnd(ref: number): boolean {
    if (ref === this.leaf || this.grouped.get(ref)?.isLine) return true
    const below = this.childrenOf(ref)
    return below.length === 0 || below.some((child) => !this.continues(child, ref) || this.isLeftOut(child))
  }

  /** Whether a node belongs on the same line as the one above it. */
  continues(ref: number, above: number): boolean {
    if (above <= ROOT || !this.grouped.has(ref) || !this.grouped.has(above)) return false
    const part = this.grouped.get(ref)
    const partAbove = this.grouped.get(above)
    if (partAbove === undefined || part === undefined) return part === partAbove
    return !partAbove.isLine && part.line === partAbove.line
  }

  /** An edit has put it elsewhere than its line says. */
  private hasMoved(ref: number): boolean {
    const { columns, ids } = this.tree
    if (columns.has(ref, Flag.copy)) return true
    const stored = columns.ownerOf(columns.rawParent[ref]!)
    return columns.parent[ref] !== stored && !(columns.parent[ref] === ROOT && this.cut.has(ids.textOf(ref)))
  }

  private parentsFirst(
    items: readonly { readonly ref: number; readonly isNode: boolean }[],
  ): { ref: number; isNode: boolean }[] {
    const done = new Set<number>()
    const ordered: { ref: number; isNode: boolean }[] = []
    for (const item of items) {
      if (!item.isNode) {
        ordered.push(item)
        continue
      }
      const above: number[] = []
      for (let at = item.ref; at > ROOT && this.included.has(at) && !done.has(at); at = this.parentOf(at)) {
        above.push(at)
        done.add(at)
      }
      for (const ref of above.reverse()) ordered.push({ ref, isNode: true })
    }
    return ordered
  }

  /** Of the nodes, for Neovate looks at nothing else; what was between stays where it is. */
  private leafLast(items: readonly { readonly ref: number; readonly isNode: boolean }[]) {
    const { last } = this
    if (last === ROOT || items.findLast(({ ref, isNode }) => isNode && this.isLine(ref))?.ref === last) return items
    return [...items.filter(({ ref }) => ref !== last), { ref: last, isNode: true }]
  }

  /** The line that Neovate is to go on from: the leaf's, or the nearest above it that is written. */
  get last(): number {
    let at = this.leaf
    while (at > ROOT && !this.isLine(at)) at = this.parentOf(at)
    return Math.max(ROOT, at)
  }
}

function partOf({ line, record, json }: Kept): Part {
  return { line, isLine: record !== undefined || json !== undefined }
}

export function callsIn(message: unknown): readonly Fields[] {
  const content = isFields(message) && Array.isArray(message.content) ? (message.content as readonly unknown[]) : []
  return content.filter(isFields).filter(({ type }) => type === 'toolCall')
}
