import { readUsage } from '../usage.ts'
import { History } from './history.ts'
import { loadSessionMessages } from './load-session-messages.ts'
import type { LogPlace } from './open-log.ts'
import { createSessionId } from './session-id.ts'

/** Tokens of all answers, and how many there were (N8). */
export interface SessionUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
  readonly requests: number
}

/**
 * A conversation as a program has it: an id and a history (N4). What makes it durable is the history's `onMessage`;
 * `Project` puts the two together.
 *
 * @example
 * const session = await Session.resume({ id, logPath })
 * session.history.toAgentInput()
 */
export class Session {
  readonly id: string
  history: History

  constructor({ id, history = new History() }: { readonly id: string; readonly history?: History | undefined }) {
    this.id = id
    this.history = history
  }

  static create(): Session {
    return new Session({ id: Session.createSessionId() })
  }

  static createSessionId(): string {
    return createSessionId()
  }

  /** With the messages of the active path (N5, N42). */
  static async resume({ id, ...from }: LogPlace & { readonly id: string }): Promise<Session> {
    return new Session({ id, history: new History({ messages: await loadSessionMessages(from) }) })
  }

  /** Of the messages in the history: recomputed, so that it is never behind. */
  get usage(): SessionUsage {
    const answers = this.history.messages.filter(({ role }) => role === 'assistant')
    const each = answers.map(({ usage }) => readUsage(usage)).filter((usage) => usage !== undefined)
    const sum = (of: (usage: (typeof each)[number]) => number) => each.reduce((total, usage) => total + of(usage), 0)
    return {
      promptTokens: sum(({ input }) => input),
      completionTokens: sum(({ output }) => output),
      totalTokens: sum(({ totalTokens = 0 }) => totalTokens),
      requests: answers.length,
    }
  }

  updateHistory(history: History): void {
    this.history = history
  }
}
