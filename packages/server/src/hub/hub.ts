import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { LiveSession } from './live-session.ts'

/** A session that stays open as long as somebody holds it. */
export interface Lease extends Disposable {
  readonly live: LiveSession
}

export interface HubOptions {
  readonly open: (sessionId: string) => Promise<Session>
  /** Puts a session in order that was just opened: what a crash left is closed before anybody looks. */
  readonly recover: (session: Session) => Promise<void>
  readonly onProblem: (sessionId: string, error: unknown) => void
  /** Lines came into its log, whoever wrote them. */
  readonly onChange?: (sessionId: string) => void
  /** How long a session that nobody holds stays open, for the next request. */
  readonly idleMs?: number
}

interface Held {
  readonly opening: Promise<LiveSession>
  /** Once it is open. */
  live: LiveSession | undefined
  count: number
  timer: NodeJS.Timeout | undefined
}

const IDLE_MS = 60_000
const MAX_IDLE = 100

/** The sessions that are open in this server, each once, however many ask for it. */
export class Hub implements AsyncDisposable {
  private readonly options: HubOptions
  private readonly held = new Map<string, Held>()
  /** Those that are being closed: whoever wants one opens it anew afterwards. */
  private readonly leaving = new Map<string, Promise<void>>()
  private isClosed = false

  constructor(options: HubOptions) {
    this.options = options
  }

  get openCount(): number {
    return this.held.size
  }

  /** Throws `session_not_found`. */
  async acquire(sessionId: string): Promise<Lease> {
    if (this.isClosed) throw new TreelineError('rate_limited', 'The server is shutting down. Ask again in a moment.')
    const held = this.held.get(sessionId) ?? this.add(sessionId, this.openLive(sessionId))
    const lease = await this.hold(sessionId, held)
    const isHeld = this.held.get(sessionId) === held
    // One that could not be read for a moment is followed again as it is: an answer may be on its way in it.
    if (isHeld && lease.live.resume()) return lease
    lease[Symbol.dispose]()
    // Its log went away, or it was closed while it was being opened: perhaps it is back.
    if (this.held.get(sessionId) === held) this.leave(sessionId, held)
    return this.acquire(sessionId)
  }

  async use<T>(sessionId: string, work: (live: LiveSession) => Promise<T>): Promise<T> {
    using lease = this.holdOpen(sessionId) ?? (await this.acquire(sessionId))
    return await work(lease.live)
  }

  /** One that is open, without holding it: for a look that waits for nothing. */
  peek(sessionId: string): LiveSession | undefined {
    return this.held.get(sessionId)?.live
  }

  /**
   * Closes a session whoever holds it, has it taken away, and tells those who listen. Whoever asks for it meanwhile waits;
   * when it could not be taken away they may open it anew.
   */
  async evict(sessionId: string, takeAway: () => Promise<void> = async () => {}): Promise<void> {
    const held = this.held.get(sessionId)
    if (held !== undefined) this.leave(sessionId, held)
    const closed = this.leaving.get(sessionId)
    const taking = Promise.resolve(closed).then(takeAway)
    const over = taking.then(
      () => held?.live?.end(true),
      () => held?.live?.end(false),
    )
    this.leaving.set(sessionId, over)
    await over
    if (this.leaving.get(sessionId) === over) this.leaving.delete(sessionId)
    await taking
  }

  /** Resolves when those who listen have been told of all that is in the logs by now. */
  async caughtUp(): Promise<void> {
    const opened = await Promise.allSettled([...this.held.values()].map(({ opening }) => opening))
    await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.caughtUp() : undefined)))
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const [id, held] of [...this.held]) this.leave(id, held)
    await Promise.all(this.leaving.values())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private add(sessionId: string, opening: Promise<LiveSession>): Held {
    const held: Held = { opening, live: undefined, count: 0, timer: undefined }
    this.held.set(sessionId, held)
    opening.then(
      (live) => {
        held.live = live
      },
      () => this.held.get(sessionId) === held && this.held.delete(sessionId),
    )
    return held
  }

  /** One that is open and followed, without waiting. */
  private holdOpen(sessionId: string): Lease | undefined {
    const held = this.held.get(sessionId)
    const live = held?.live
    if (held === undefined || live === undefined || this.isClosed || !live.resume()) return undefined
    return { live, [Symbol.dispose]: this.count(sessionId, held) }
  }

  private async hold(sessionId: string, held: Held): Promise<Lease> {
    const release = this.count(sessionId, held)
    try {
      return { live: await held.opening, [Symbol.dispose]: release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Gives a function that ends the hold. */
  private count(sessionId: string, held: Held): () => void {
    held.count++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      if (--held.count === 0 && this.held.get(sessionId) === held) this.idle(sessionId, held)
    }
  }

  private idle(sessionId: string, held: Held): void {
    // The last one to become idle is the last in the map.
    this.held.delete(sessionId)
    this.held.set(sessionId, held)
    this.startTimer(sessionId, held)
    if (this.held.size <= MAX_IDLE) return
    const idle = [...this.held].filter(([, { count }]) => count === 0)
    for (const [id, one] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) this.leave(id, one)
  }

  /** One timer for as long as it is open, put off by whoever comes: every request makes its session idle in the end. */
  private startTimer(sessionId: string, held: Held): void {
    if (held.timer !== undefined) {
      held.timer.refresh()
      return
    }
    const leave = (): void => {
      if (held.count === 0) this.leave(sessionId, held)
    }
    held.timer = setTimeout(leave, this.options.idleMs ?? IDLE_MS)
    held.timer.unref()
  }

  private leave(sessionId: string, held: Held): void {
    clearTimeout(held.timer)
    this.held.delete(sessionId)
    const left = this.closeLive(sessionId, held).finally(() => {
      if (this.leaving.get(sessionId) === left) this.leaving.delete(sessionId)
    })
    this.leaving.set(sessionId, left)
  }

  private async closeLive(sessionId: string, { opening }: Held): Promise<void> {
    try {
      const live = await opening
      await live.session.close()
    } catch (error) {
      this.options.onProblem(sessionId, error)
    }
  }

  private async openLive(sessionId: string): Promise<LiveSession> {
    await this.leaving.get(sessionId)
    const session = await this.options.open(sessionId)
    try {
      await this.options.recover(session)
      return this.toLive(session)
    } catch (error) {
      await session.close()
      throw error
    }
  }

  private toLive(session: Session): LiveSession {
    const { onProblem, onChange } = this.options
    return new LiveSession(
      session,
      (error) => onProblem(session.id, error),
      () => onChange?.(session.id),
    )
  }
}
