import { type Entry, Kind, ROOT } from '@treeline/core'
import type { NoteList } from '../note-list.ts'
import type { Bodies } from './bodies.ts'
import type { LineSink } from './line-sink.ts'
import { type Fields, isFields, keptOf } from './record.ts'
import { restoreRecord } from './restore-record.ts'
import { interruptedPart, MUTED, summaryBody, toLineBodies, toResultPart } from './to-record.ts'
import { callsIn, type WritePlan } from './write-plan.ts'
import { interruptedId, keptCopyId } from './written-ids.ts'

export interface NodeLinesParts {
  readonly sessionId: string
  readonly plan: WritePlan
  readonly bodies: Bodies
  readonly out: LineSink
  readonly notes: NoteList
}

/** Writes nodes as lines: those that were read as they were, those of ours as Neovate would have written them. */
export class NodeLines {
  private readonly parts: NodeLinesParts
  private readonly plan: WritePlan
  private readonly bodies: Bodies
  /** Where to go on under a node of which more than one line was made. */
  private readonly after = new Map<number, string>()
  /** What lines of ours say; in a session that came from a file, what its lines say. */
  private sessionId: string

  constructor(parts: NodeLinesParts) {
    this.parts = parts
    this.plan = parts.plan
    this.bodies = parts.bodies
    this.sessionId = parts.sessionId
  }

  async write(ref: number): Promise<void> {
    const entry = this.plan.isLine(ref) ? await this.bodies.readRef(ref) : undefined
    if (entry === undefined) return
    const { parent, isAsStored } = this.plan.parentLine(ref)
    const above = this.uuidUnder(parent, this.plan.isResult(ref))
    const record = await this.restore(ref, entry)
    if (record !== undefined) {
      const isSame = isAsStored && above === (parent === ROOT ? null : this.bodies.idOf(parent))
      await this.writeStored(ref, entry, record, isSame ? undefined : above)
    } else if (this.plan.isGrouped(ref)) await this.writeGroup(ref, above)
    else if (entry.type === 'compaction') await this.writeCompaction(ref, entry)
    else await this.writeOwn(ref, entry, above)
  }

  /** The line a node was read from, without what is muted of it; `undefined` when it has to be written anew. */
  private async restore(ref: number, entry: Entry): Promise<Fields | undefined> {
    const record = await restoreRecord(entry, this.bodies.read)
    const muted = record === undefined ? [] : this.plan.runTo(ref).filter((member) => this.plan.isMuted(member))
    if (record === undefined || muted.length === 0) return record
    if (!muted.every((member) => this.plan.isResult(member))) return undefined
    const calls = new Set<unknown>()
    for (const member of muted) {
      const message = (await this.bodies.readRef(member))?.message
      if (isFields(message)) calls.add(message.toolCallId)
    }
    return { ...record, content: withoutMuted(record.content, calls) }
  }

  /** Under the parent it has now. Its id stays, unless something new names ours. */
  private async writeStored(ref: number, entry: Entry, record: Fields, parentUuid?: string | null): Promise<void> {
    const id = this.bodies.idOf(ref)
    if (typeof record.sessionId === 'string') this.sessionId = record.sessionId
    const isRenamed = record.uuid !== id && this.plan.hasChildren(ref)
    if (isRenamed) this.parts.notes.count('changed', 'A line whose id was not unique has a new one', id)
    const isLinked = parentUuid === undefined && !isRenamed
    const line = { ...record, ...(parentUuid !== undefined && { parentUuid }), ...(isRenamed && { uuid: id }) }
    await this.parts.out.put(line, isLinked ? keptOf(entry)?.json : undefined)
  }

  private async writeOwn(ref: number, entry: Entry, above: string | null): Promise<void> {
    const id = this.bodies.idOf(ref)
    const bodies = toLineBodies(entry, this.parts.notes)
    let parentUuid = above
    for (const [i, body] of bodies.entries()) {
      const uuid = i === bodies.length - 1 ? id : `${id}.${i + 1}`
      await this.put(parentUuid, uuid, body, entry.timestamp)
      parentUuid = uuid
    }
    if (!this.plan.isInterrupted(ref)) return
    const body = { role: 'tool', content: this.interrupted(callsIn(entry.message)) }
    await this.put(id, this.uuidUnder(ref, false)!, body, entry.timestamp)
  }

  /** All results of an answer are one line (X69). Anything else of the group is a line of its own. */
  private async writeGroup(end: number, above: string | null): Promise<void> {
    const run = this.plan.runTo(end).filter((ref) => !this.plan.isLeftOut(ref))
    let parentUuid = above
    let results: number[] = []
    for (const [i, ref] of run.entries()) {
      const next = run[i + 1]
      if (this.plan.isResult(ref)) {
        results.push(ref)
        if (next !== undefined && this.plan.isResult(next)) continue
      }
      const entry = (await this.bodies.readRef(ref))!
      const isResult = results.length > 0
      const body = isResult ? await this.resultsBody(results) : toLineBodies(entry, this.parts.notes).at(-1)!
      const uuid = ref === end ? this.bodies.idOf(ref) : `${this.bodies.idOf(ref)}.${this.bodies.idOf(end)}`
      await this.put(parentUuid, uuid, body, entry.timestamp)
      parentUuid = uuid
      results = []
    }
  }

  /**
   * A new root, as Neovate has it. What the compaction keeps is said again below it, because there a message has one
   * parent: the path as it was stays a branch of its own.
   */
  private async writeCompaction(ref: number, entry: Entry): Promise<void> {
    const id = this.bodies.idOf(ref)
    await this.put(null, id, summaryBody(String(entry.summary)), entry.timestamp)
    let above = id
    for (const kept of this.keptBy(ref, entry.firstKeptEntryId)) {
      const stored = await this.bodies.readRef(kept)
      if (stored === undefined) continue
      const uuid = keptCopyId(this.bodies.idOf(kept), id)
      const record = await this.restore(kept, stored)
      if (record !== undefined) await this.parts.out.put({ ...record, parentUuid: above, uuid })
      else {
        const isResult = this.plan.isResult(kept)
        const own = () => toLineBodies(stored, this.parts.notes).at(-1)!
        await this.put(above, uuid, isResult ? await this.resultsBody(this.plan.runTo(kept)) : own(), stored.timestamp)
      }
      this.parts.notes.count('changed', 'A message that a compaction keeps is written again below its summary', id)
      above = uuid
    }
    if (above !== id) this.after.set(ref, above)
  }

  private keptBy(ref: number, firstId: unknown): readonly number[] {
    const { tree } = this.plan
    const first = typeof firstId === 'string' ? tree.ids.find(firstId) : ROOT
    const above: number[] = []
    let at = tree.columns.parent[ref]!
    for (; at > ROOT && at !== first; at = tree.columns.parent[at]!) above.push(at)
    if (at <= ROOT) return []
    above.push(at)
    const isSummary = (node: number) => tree.columns.kind[node] === Kind.compaction
    const kept = above.reverse().filter((node) => !isSummary(node) && !this.plan.isLeftOut(node))
    // Of nodes that share a line the last one speaks for all; results whose call is not kept have none to answer.
    const isKept = new Set(kept)
    return kept.filter((node, i) => {
      const next = kept[i + 1]
      const isSaidByNext = next !== undefined && this.plan.continues(next, node)
      return !isSaidByNext && (!this.plan.isResult(node) || isKept.has(this.plan.answerTo(node)))
    })
  }

  private async resultsBody(results: readonly number[]): Promise<Fields> {
    const answer = this.plan.answerTo(results[0]!)
    const asked = answer === ROOT ? undefined : await this.bodies.readRef(answer)
    const asks = callsIn(asked?.message)
    const calls = new Map(asks.map((call) => [call.id, call]))
    const content: Fields[] = []
    for (const ref of results) {
      const message = (await this.bodies.readRef(ref))?.message
      if (!isFields(message)) continue
      content.push(toResultPart(message, calls.get(message.toolCallId)?.arguments, this.plan.isMuted(ref)))
    }
    const done = new Set(content.map(({ toolCallId }) => toolCallId))
    const open = this.plan.isAsking(answer) ? asks.filter(({ id }) => !done.has(id)) : []
    return { role: 'tool', content: [...content, ...this.interrupted(open)] }
  }

  private interrupted(calls: readonly Fields[]): readonly Fields[] {
    for (const { id } of calls) {
      this.parts.notes.count('changed', 'A tool call has no result and is written as interrupted', String(id))
    }
    return calls.map(interruptedPart)
  }

  /** The id to name as the parent of what hangs under a node. */
  private uuidUnder(ref: number, isResult: boolean): string | null {
    if (ref <= ROOT) return null
    const id = this.bodies.idOf(ref)
    return this.after.get(ref) ?? (!isResult && this.plan.isInterrupted(ref) ? interruptedId(id) : id)
  }

  private put(parentUuid: string | null, uuid: string, body: Fields, timestamp: string): Promise<void> {
    const { sessionId } = this
    return this.parts.out.put({ parentUuid, uuid, ...body, type: 'message', timestamp, sessionId })
  }
}

/** The parts of a line of which some are muted: the call keeps a result, without its words. */
function withoutMuted(content: unknown, muted: ReadonlySet<unknown>): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    const isMuted = isFields(part) && muted.has(part.toolCallId ?? part.id)
    return isMuted ? { ...part, result: { llmContent: MUTED } } : part
  })
}
