import { Flag, ROOT, TreelineError } from '@treeline/core'
import type { DurableEvent } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { createdLine, rowAtLine, timeAtRow } from '../wire/node-time.ts'
import { readEvents } from '../wire/read-events.ts'
import { activeLeafOf } from '../wire/tree-head.ts'
import { Causes } from './causes.ts'
import { Frame } from './frame.ts'
import { MAX_FRAMES, RecentFrames } from './recent-frames.ts'
import { type Chunk, RunningTexts } from './running-texts.ts'
import { TextUpdate } from './text-update.ts'

/** Told of what happens from the moment it listens. Must not throw, and must not wait. */
export interface LiveListener {
  /** In order, none left out, none twice (W1–W3); durable by then (W5). */
  onFrame(frame: Frame): void
  onText(update: TextUpdate): void
  /** The log was rewritten: what is known of it is void. */
  onReset(): void
  /** There is no such session any more, or, if it was not deleted, it cannot be followed. */
  onGone(isDeleted: boolean): void
}

type Line = { readonly leaf?: { before: string | null; after: string | null } | undefined }

/**
 * A session as all clients of this server see it: one follower of its log makes the events, once, for everybody who
 * listens. While nobody does, only the position moves; what was missed is made from the log when asked for.
 */
export class LiveSession {
  readonly session: Session
  readonly causes = new Causes()
  readonly texts: RunningTexts
  private readonly listeners = new Set<LiveListener>()
  private readonly frames = new RecentFrames()
  private readonly making = new Map<number, Promise<Frame>>()
  /** Those who wait for what is in the log to be told. */
  private readonly behind: (() => void)[] = []
  private readonly onProblem: (error: unknown) => void
  private readonly onChange: () => void
  private told: { seq: number; epoch: string; leafId: string | null }
  private gone: 'deleted' | 'lost' | undefined

  constructor(session: Session, onProblem: (error: unknown) => void, onChange: () => void = () => {}) {
    this.session = session
    this.onProblem = onProblem
    this.onChange = onChange
    this.told = { seq: session.seq, epoch: session.epoch, leafId: activeLeafOf(session) }
    this.texts = new RunningTexts({ tell: (chunk) => this.tellText(chunk), isKnown: (id) => this.isTold(id) })
    this.follow()
  }

  get id(): string {
    return this.session.id
  }

  /** The last event that was told. */
  get headSeq(): number {
    return this.told.seq
  }

  get epoch(): string {
    return this.told.epoch
  }

  /** Nothing more comes of it: whoever wants it opens it anew. */
  get isOver(): boolean {
    return this.gone !== undefined
  }

  /** The first event there can be: the line before it is the header. */
  get oldestSeq(): number {
    return 2
  }

  /** From the event after `headSeq` on. */
  listen(listener: LiveListener): () => void {
    if (this.listeners.size === 0) this.told.leafId = activeLeafOf(this.session)
    this.listeners.add(listener)
    const { gone } = this
    if (gone) queueMicrotask(() => this.listeners.delete(listener) && listener.onGone(gone === 'deleted'))
    return () => this.listeners.delete(listener)
  }

  /**
   * The events after a number up to `headSeq` as it is by then. When it is done, nothing has been told that was not
   * given, until the caller waits for something: it can begin to listen. Ends early when the log was rewritten meanwhile.
   */
  async *replay(afterSeq: number): AsyncGenerator<Frame> {
    const { epoch } = this
    for (let seq = afterSeq + 1; seq <= this.headSeq && epoch === this.epoch; seq++) {
      const frame = this.frames.get(seq) ?? (await this.make(seq))
      if (epoch !== this.epoch) return
      // After a restart everybody comes back at once, and wants the same.
      if (this.headSeq - seq < MAX_FRAMES) this.frames.add(frame)
      yield seq === this.headSeq ? this.withLeaf(frame) : frame
    }
  }

  /** Takes note of an answer on its way, unless it has ended already. */
  openText(nodeId: string): void {
    const { ids, columns } = this.session.tree
    const ref = ids.find(nodeId)
    if (ref > ROOT && columns.has(ref, Flag.generating)) this.texts.open(nodeId)
  }

  private async follow(): Promise<void> {
    const { session } = this
    try {
      for await (const event of session.follow({ afterSeq: this.headSeq, epoch: this.epoch })) {
        if (event.type === 'reset') this.reset(event.epoch)
        else await this.tellUpTo(event.seq)
      }
    } catch (error) {
      const isDeleted = error instanceof TreelineError && error.code === 'session_not_found'
      if (!isDeleted) this.onProblem(error)
      this.end(isDeleted)
    }
  }

  /** Nothing more comes: it was deleted, or cannot be followed. */
  end(isDeleted = true): void {
    this.gone = isDeleted ? 'deleted' : 'lost'
    for (const listener of [...this.listeners]) {
      this.listeners.delete(listener)
      listener.onGone(isDeleted)
    }
    this.wake()
  }

  /** Resolves when all that is in the log by now was told, or nothing will be. */
  async caughtUp(): Promise<void> {
    const { epoch, session } = this
    const { seq } = session
    while (this.headSeq < seq && epoch === this.epoch && this.gone === undefined) {
      await new Promise<void>((resolve) => this.behind.push(resolve))
    }
  }

  private wake(): void {
    for (const resolve of this.behind.splice(0)) resolve()
  }

  private reset(epoch: string): void {
    this.frames.clear()
    this.making.clear()
    this.told = { seq: this.session.seq, epoch, leafId: activeLeafOf(this.session) }
    for (const listener of [...this.listeners]) listener.onReset()
    this.wake()
  }

  private async tellUpTo(lastSeq: number): Promise<void> {
    this.onChange()
    while (this.headSeq < lastSeq) {
      const seq = this.headSeq + 1
      const frame = this.listeners.size === 0 ? undefined : await this.makeLive(seq)
      // What its end says comes after all that was told of its text.
      for (const id of this.idsAt(seq)) this.texts.close(id)
      this.told.seq = seq
      if (frame === undefined) continue
      this.frames.add(frame)
      for (const listener of [...this.listeners]) listener.onFrame(frame)
    }
    this.wake()
  }

  private async makeLive(seq: number): Promise<Frame> {
    const after = activeLeafOf(this.session)
    const before = this.told.leafId
    if (after === before || !this.isKnownAt(after, seq)) return this.make(seq)
    this.told.leafId = after
    return this.make(seq, { leaf: { before, after } })
  }

  /** Of several who want the same frame, one makes it. */
  private make(seq: number, line: Line = {}): Promise<Frame> {
    const begun = this.making.get(seq)
    if (begun !== undefined && line.leaf === undefined) return begun
    const made = this.read(seq, line).finally(() => this.making.delete(seq))
    this.making.set(seq, made)
    return made
  }

  private async read(seq: number, line: Line): Promise<Frame> {
    const { session } = this
    const events: DurableEvent[] = []
    try {
      for (const { row, id, causeId } of this.rowsAt(seq)) {
        const cause = this.causes.take(id) ?? this.causes.take(causeId)
        events.push(...(await readEvents(session, { row, id }, { ...line, ...(cause && { cause }) })))
      }
    } catch (error) {
      this.onProblem(error)
    }
    return new Frame(seq, events.length > 0 ? events : [this.filler(seq)])
  }

  /** For a line that is no entry, or cannot be read: no number is missed. */
  private filler(seq: number): DurableEvent {
    const { tree, id: sessionId } = this.session
    const ts = timeAtRow(tree, rowAtLine(tree, seq))
    return {
      type: 'entry.appended',
      seq,
      version: seq,
      ts,
      sessionId,
      entryId: `line-${seq}`,
      entryType: 'unreadable',
    }
  }

  /** Whoever missed something is told where the conversation goes on by now: old lines do not say it. */
  private withLeaf(frame: Frame): Frame {
    if (frame.events.some(({ type }) => type === 'active_leaf.updated')) return frame
    const { seq, version, ts, sessionId } = frame.events[0]!
    const activeLeafId = activeLeafOf(this.session)
    const event = { type: 'active_leaf.updated', seq, version, ts, sessionId, activeLeafId } as const
    return new Frame(frame.seq, [...frame.events, { ...event, previous: activeLeafId, reason: 'user' }])
  }

  private *rowsAt(seq: number): Generator<{ readonly row: number; readonly id: string; readonly causeId: string }> {
    const { tree } = this.session
    for (let row = rowAtLine(tree, seq); row < tree.rowCount && tree.heads.line[row] === seq; row++) {
      const ref = tree.refAtRow(row)
      const node = tree.generationNode(ref)
      const id = tree.ids.textOf(ref)
      yield { row, id, causeId: node === undefined ? id : tree.ids.textOf(node) }
    }
  }

  private idsAt(seq: number): readonly string[] {
    return this.texts.nodeIds.length === 0 ? [] : [...this.rowsAt(seq)].map(({ id }) => id)
  }

  private isKnownAt(nodeId: string | null, seq: number): boolean {
    const { tree } = this.session
    return nodeId === null || createdLine(tree, tree.ids.find(nodeId)) <= seq
  }

  /** Whether clients know of a node: nothing of its text comes before. */
  isTold(nodeId: string): boolean {
    return this.isKnownAt(nodeId, this.headSeq)
  }

  private tellText({ nodeId, kind, text, offset }: Chunk): void {
    if (this.listeners.size === 0) return
    const patch = { id: nodeId, contentChunk: text, offset, ...(kind === 'thinking' && { partType: kind }) }
    const ts = new Date().toISOString()
    const update = new TextUpdate({ type: 'node.content.updated', seq: null, ts, sessionId: this.id, patch })
    for (const listener of [...this.listeners]) listener.onText(update)
  }
}
