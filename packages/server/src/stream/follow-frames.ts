import type { Frame } from '../hub/frame.ts'
import type { LiveListener, LiveSession } from '../hub/live-session.ts'

export interface FollowOptions {
  readonly afterSeq: number
  readonly signal: AbortSignal
  /** After so long without anything it says `idle`. */
  readonly idleMs: number
}

/** What happens to a session; after `reset` and `gone` nothing more. */
export type Happened =
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'idle' | 'reset' | 'deleted' | 'lost' }

/** Frames that may wait for whoever reads. Beyond that they are read again, from the log if need be. */
const MAX_WAITING = 64

/** Frames after a number, in order and without a gap, as fast as they are taken. Holds a position rather than a backlog (W6). */
export async function* followFrames(live: LiveSession, options: FollowOptions): AsyncGenerator<Happened> {
  const { signal, idleMs } = options
  const { epoch } = live
  const tail = new Tail()
  let seq = options.afterSeq
  try {
    while (!signal.aborted) {
      if (!tail.isListening) {
        while (seq < live.headSeq && live.epoch === epoch) {
          for await (const frame of live.replay(seq)) {
            seq = frame.seq
            yield { type: 'frame', frame }
          }
        }
        // Nothing was awaited since it was known that nothing is missing.
        tail.listenTo(live)
      }
      const frame = tail.take()
      if (live.epoch !== epoch || tail.isReset) {
        yield { type: 'reset' }
        return
      }
      if (frame !== undefined && frame.seq > seq) {
        seq = frame.seq
        yield { type: 'frame', frame }
      }
      if (frame !== undefined || !tail.isListening) continue
      if (tail.end !== undefined) {
        yield { type: tail.end }
        return
      }
      if (!(await tail.waitFor(idleMs, signal)) && !signal.aborted) yield { type: 'idle' }
    }
  } finally {
    tail.stop()
  }
}

/** The newest frames, as long as they are taken. */
class Tail implements LiveListener {
  end: 'deleted' | 'lost' | undefined
  isReset = false
  private readonly waiting: Frame[] = []
  private stopListening: (() => void) | undefined
  private wake = (): void => {}

  get isListening(): boolean {
    return this.stopListening !== undefined
  }

  listenTo(live: LiveSession): void {
    this.stopListening = live.listen(this)
  }

  stop(): void {
    this.stopListening?.()
    this.stopListening = undefined
    this.waiting.length = 0
  }

  take(): Frame | undefined {
    return this.waiting.shift()
  }

  /** False when nothing came in time. */
  waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isNews: boolean): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        resolve(isNews)
      }
      const onAbort = (): void => end(false)
      const timer = setTimeout(onAbort, ms)
      signal.addEventListener('abort', onAbort)
      this.wake = () => end(true)
    })
  }

  onFrame(frame: Frame): void {
    this.waiting.push(frame)
    if (this.waiting.length > MAX_WAITING) this.stop()
    this.wake()
  }

  onText(): void {}

  onReset(): void {
    this.isReset = true
    this.wake()
  }

  onGone(isDeleted: boolean): void {
    this.end = isDeleted ? 'deleted' : 'lost'
    this.wake()
  }
}
