import { Flag, ROOT, TreelineError } from '@treeline/core'
import type { DurableEvent } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { generationIdOf } from '../wire/node-metadata.ts'
import { createdLine, rowAtLine, timeAtRow } from '../wire/node-time.ts'
import { readEvents } from '../wire/read-events.ts'
import { activeLeafOf } from '../wire/tree-head.ts'
import { Causes } from './causes.ts'
import { fitFrame } from './fit-frame.ts'
import { Frame } from './frame.ts'
import { tellsOfLeaf } from './leaf-line.ts'
import { MAX_FRAMES, RecentFrames } from './recent-frames.ts'
import { type Chunk, RunningTexts } from './running-texts.ts'
import { TextUpdate } from './text-update.ts'

/** Told of what happens from the moment it listens. Must not throw, and must not wait. */
export interface LiveListener {
  /** In order, none left out, none twice (W1–W3); durable by then (W5). */
  onFrame(frame: Frame): void
  onText(update: TextUpdate): void
  /** The log was rewritten, or a line of it could not be read: what is known of it is void. */
  onReset(): void
  /** There is no such session any more, or, if it was not deleted, it cannot be followed. */
  onGone(isDeleted: boolean): void
}

type Line = { readonly leaf?: { before: string | null; after: string | null } | undefined }

interface LineRow {
  readonly row: number
  readonly id: string
  /** What its cause was noted by. */
  readonly causeId: string | undefined
}

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
  /** The last frame as those get it who come back: after a restart everybody does at once. */
  private head: { readonly frame: Frame; readonly leafId: string | null; readonly withLeaf: Frame } | undefined
  private gone: 'deleted' | 'lost' | undefined
  private following = new AbortController()

  constructor(session: Session, onProblem: (error: unknown) => void, onChange: () => void = () => {}) {
    this.session = session
    this.onProblem = onProblem
    this.onChange = onChange
    // Who has the session open here sees where others go on in it.
    session.followLeaf()
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

  /** Goes on from where it was when it could not be followed. False when nothing more comes: there is no such session. */
  resume(): boolean {
    if (this.gone === 'lost') {
      this.gone = undefined
      this.following = new AbortController()
      this.follow()
    }
    return this.gone === undefined
  }

  /** The first event there can be: the line before it is the header. */
  get oldestSeq(): number {
    return 2
  }

  /** From the event after `headSeq` on. */
  listen(listener: LiveListener): () => void {
    this.listeners.add(listener)
    const { gone } = this
    if (gone) queueMicrotask(() => this.listeners.delete(listener) && listener.onGone(gone === 'deleted'))
    return () => this.listeners.delete(listener)
  }

  /**
   * The events after a number up to `headSeq` as it is by then. When it is done, nothing has been told that was not
   * given, until the caller waits for something: it can begin to listen. Ends early when the log was rewritten meanwhile,
   * throws when a line cannot be read: none is passed over.
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
    const { session, headSeq: afterSeq, epoch } = this
    const { signal } = this.following
    try {
      for await (const event of session.follow({ afterSeq, epoch, signal })) {
        if (event.type === 'reset') this.reset(event.epoch)
        else await this.tellUpTo(event.seq)
      }
      // It was closed, and whoever waits to be caught up waits for nothing.
      if (!signal.aborted) this.gone ??= 'lost'
      this.wake()
    } catch (error) {
      const isDeleted = error instanceof TreelineError && error.code === 'session_not_found'
      if (!isDeleted) this.onProblem(error)
      this.end(isDeleted)
    } finally {
      this.frames.clear()
    }
  }

  /** Nothing more comes: it was deleted, or cannot be followed. */
  end(isDeleted = true): void {
    this.gone = isDeleted ? 'deleted' : 'lost'
    this.following.abort()
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
    this.tellEach((listener) => listener.onReset())
    this.wake()
  }

  private async tellUpTo(lastSeq: number): Promise<void> {
    this.onChange()
    while (this.headSeq < lastSeq) {
      const seq = this.headSeq + 1
      const leaf = this.moveLeaf(seq)
      const isWanted = this.listeners.size > 0
      // What cannot be read has been noted as a problem.
      const frame = isWanted ? await this.make(seq, { leaf }).catch(() => undefined) : undefined
      // What its end says comes after all that was told of its text.
      for (const id of this.idsAt(seq)) this.texts.close(id)
      this.told.seq = seq
      if (frame !== undefined) {
        this.frames.add(frame)
        this.tellEach((listener) => listener.onFrame(frame))
      } else if (isWanted) this.tellEach((listener) => listener.onReset())
    }
    this.wake()
  }

  /** One that fails is let go of: the others are not to miss anything for it. */
  private tellEach(tell: (listener: LiveListener) => void): void {
    // Who begins to listen meanwhile is behind all of them, and knows what it is told.
    for (const listener of this.listeners) {
      try {
        tell(listener)
      } catch (error) {
        this.onProblem(error)
        this.listeners.delete(listener)
        listener.onGone(false)
      }
    }
  }

  private moveLeaf(seq: number): Line['leaf'] {
    const before = this.told.leafId
    const after = activeLeafOf(this.session)
    if (after === before || !tellsOfLeaf(this.session.tree, after, seq)) return undefined
    this.told.leafId = after
    return { before, after }
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
        const cause = causeId === undefined ? undefined : this.causes.take(causeId)
        events.push(...(await readEvents(session, { row, id }, { ...line, ...(cause && { cause }) })))
      }
    } catch (error) {
      this.onProblem(error)
      throw error
    }
    return fitFrame(new Frame(seq, events.length > 0 ? events : [this.filler(seq)]))
  }

  /** For a line that is no entry: no number is missed. */
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
    const { leafId: activeLeafId } = this.told
    const known = this.head
    if (known?.frame === frame && known.leafId === activeLeafId) return known.withLeaf
    const event = { type: 'active_leaf.updated', seq, version, ts, sessionId, activeLeafId } as const
    const events = [...frame.events, { ...event, previous: activeLeafId, reason: 'user' } as const]
    const withLeaf = new Frame(frame.seq, events)
    this.head = { frame, leafId: activeLeafId, withLeaf }
    return withLeaf
  }

  private *rowsAt(seq: number): Generator<LineRow> {
    const { tree } = this.session
    for (let row = rowAtLine(tree, seq); row < tree.rowCount && tree.heads.line[row] === seq; row++) {
      const ref = tree.refAtRow(row)
      const node = tree.generationNode(ref)
      const id = tree.ids.textOf(ref)
      // Of an answer its place was asked for; its end is nobody's echo.
      const isEnd = node === undefined && generationIdOf(tree, ref) !== undefined
      yield { row, id, causeId: isEnd ? undefined : node === undefined ? id : tree.ids.textOf(node) }
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
    this.tellEach((listener) => listener.onText(update))
  }
}
