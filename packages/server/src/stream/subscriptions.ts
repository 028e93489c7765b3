import { TreelineError } from '@treeline/core'
import { CLOSE, type ServerFrame } from '@treeline/protocol'
import type { Hub } from '../hub/hub.ts'
import type { Outbox } from './outbox.ts'
import { type Subscribe, Subscription } from './subscription.ts'

export interface SubscriptionsOptions {
  readonly hub: Pick<Hub, 'acquire'>
  readonly outbox: Outbox
  readonly maxCount: number
  readonly maxFrameBytes: number
  readonly eventsBehind: number
  readonly send: (frame: ServerFrame) => void
  readonly refuse: (id: number, error: unknown) => void
  /** With the last of them gone there is nothing to stay for, or with one that failed no way to go on. */
  readonly onOver: (code: number, reason: string) => void
}

/** The sessions that one connection follows, each once. */
export class Subscriptions {
  /** Whether text is not wanted for now. */
  isPaused = false
  private readonly options: SubscriptionsOptions
  private readonly bySession = new Map<string, Subscription>()
  /** Sessions are opened one after the other: nobody makes the server open a thousand at once. */
  private opening: Promise<void> = Promise.resolve()

  constructor(options: SubscriptionsOptions) {
    this.options = options
  }

  get count(): number {
    return this.bySession.size
  }

  /** Events that were sent and nobody said that they came. */
  get unackedCount(): number {
    let sum = 0
    for (const { unackedCount } of this.bySession.values()) sum += unackedCount
    return sum
  }

  get(sessionId: string): Subscription | undefined {
    return this.bySession.get(sessionId)
  }

  /** Of a session that is followed already it begins anew. */
  add(asked: Subscribe): void {
    const { outbox, maxCount, maxFrameBytes, eventsBehind, send } = this.options
    this.get(asked.sessionId)?.end()
    if (this.count >= maxCount) {
      const message = `One connection follows at most ${maxCount} sessions. Unsubscribe from some, or open another.`
      throw new TreelineError('rate_limited', message)
    }
    const isPaused = () => this.isPaused
    const onEnd = (code: number | undefined) => this.lose(subscription, code)
    const subscription: Subscription = new Subscription({
      asked,
      outbox,
      maxFrameBytes,
      eventsBehind,
      send,
      isPaused,
      onEnd,
    })
    this.bySession.set(asked.sessionId, subscription)
    this.opening = this.opening.then(() => this.begin(subscription))
  }

  /** Text is wanted again, and what was missed of it. */
  resume(): void {
    if (!this.isPaused) return
    this.isPaused = false
    for (const subscription of this.bySession.values()) subscription.sendTexts()
  }

  catchUp(): void {
    for (const subscription of this.bySession.values()) subscription.catchUp()
  }

  end(): void {
    for (const subscription of [...this.bySession.values()]) subscription.end()
  }

  /** Resolves when the session is open; what is told of it comes by and by. */
  private async begin(subscription: Subscription): Promise<void> {
    if (subscription.isEnded) return
    const fail = (error: unknown): void => {
      if (subscription.isEnded) return
      subscription.end()
      this.options.refuse(subscription.id, error)
    }
    try {
      const lease = await this.options.hub.acquire(subscription.sessionId)
      if (subscription.isEnded) lease[Symbol.dispose]()
      else subscription.run(lease).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  private lose(subscription: Subscription, code: number | undefined): void {
    const { sessionId } = subscription
    if (this.get(sessionId) === subscription) this.bySession.delete(sessionId)
    if (code === undefined) return
    if (code !== CLOSE.sessionDeleted) this.options.onOver(code, 'a session cannot be followed')
    else if (this.count === 0) this.options.onOver(code, 'session deleted')
  }
}
