import { randomUUID } from 'node:crypto'
import { TreelineError } from '@treeline/core'
import { COMPACT_MESSAGE } from '../record.ts'
import { type AgentInputItem, toAgentInput } from './agent-input.ts'
import { type CompressionPolicy, estimateTokens, type ModelInfo, neovatePolicy, pendingPrompts } from './compression.ts'
import { pathTo } from './filter-messages.ts'
import { type LanguageMessage, toLanguageV2Messages } from './language-messages.ts'
import type { Message, NormalizedMessage } from './normalized-message.ts'

/** Makes a message durable. What it rejects is not in the history. */
export type OnMessage = (message: NormalizedMessage) => unknown

/** Writes a summary of messages; given, because there is no model here (N70, X64). */
export type Compact = (options: {
  readonly messages: readonly NormalizedMessage[]
  readonly model: ModelInfo
}) => Promise<string | { readonly summary: string }>

export interface HistoryOptions {
  readonly messages?: readonly NormalizedMessage[] | undefined
  readonly onMessage?: OnMessage | undefined
  readonly compact?: Compact | undefined
  readonly policy?: CompressionPolicy | undefined
}

/**
 * The messages of the active path, in memory (N16).
 *
 * @example
 * const history = new History({ onMessage: (message) => logger.addMessage({ message }) })
 * await history.addMessage({ role: 'user', content: 'Hello' })
 */
export class History {
  messages: NormalizedMessage[]
  onMessage: OnMessage | undefined
  private readonly compact: Compact | undefined
  private readonly policy: CompressionPolicy
  /** One after the other, so that each finds the one before it as its parent. Never rejects. */
  private turn: Promise<unknown> = Promise.resolve()

  constructor({ messages = [], onMessage, compact, policy = neovatePolicy }: HistoryOptions = {}) {
    this.messages = [...messages]
    this.onMessage = onMessage
    this.compact = compact
    this.policy = policy
  }

  /**
   * Adds a message under the last one, or under the `parentUuid` it brings (N17, X33). When this resolves it is durable,
   * if `onMessage` makes it so.
   */
  addMessage(message: Message & { readonly parentUuid?: string | null }, uuid?: string): Promise<NormalizedMessage> {
    return this.inTurn(async () => {
      const { parentUuid = this.messages.at(-1)?.uuid ?? null, ...said } = message
      const added = normalize(said as Message, parentUuid, uuid)
      await this.onMessage?.(added)
      this.messages.push(added)
      return added
    })
  }

  toAgentInput(): AgentInputItem[] {
    return toAgentInput(this.messages)
  }

  toLanguageV2Messages(): LanguageMessage[] {
    return toLanguageV2Messages(this.messages)
  }

  /** From a message up to its root; none for an unknown id (N22). */
  getMessagesToUuid(uuid: string): NormalizedMessage[] {
    const target = this.messages.find((message) => message.uuid === uuid)
    return target === undefined ? [] : pathTo(this.messages, target)
  }

  /**
   * Replaces the history by a summary when it nears the limit of the model (N64–N72). Prompts that wait for an answer are
   * said again below the summary, and everything is durable before the history changes (X60). What was is still there, as
   * a branch of its own; the summary names where that ends (X61). `force` is for a user who asks for it (N74).
   */
  compress(
    model: ModelInfo,
    { force = false }: { readonly force?: boolean } = {},
  ): Promise<{ readonly compressed: boolean; readonly summary?: string }> {
    return this.inTurn(async () => {
      const { messages } = this
      const pending = pendingPrompts(messages)
      const covered = messages.slice(0, messages.length - pending.length)
      const isNeeded = force || estimateTokens(messages) >= this.policy.threshold(model)
      if (covered.length === 0 || !isNeeded) return { compressed: false }
      const summary = await this.summarise(covered, model)
      const content = [{ type: 'text', text: summary }]
      const said = { role: 'user', content, uiContent: COMPACT_MESSAGE, summarizedFrom: covered.at(-1)!.uuid } as const
      const next = [normalize(said, null)]
      for (const prompt of pending) next.push(normalize(withoutPlace(prompt), next.at(-1)!.uuid))
      for (const message of next) await this.onMessage?.(message)
      this.messages = next
      return { compressed: true, summary }
    })
  }

  private async summarise(messages: readonly NormalizedMessage[], model: ModelInfo): Promise<string> {
    if (this.compact === undefined) {
      throw new TreelineError('bad_request', 'This history cannot be compacted: it was made without `compact`.')
    }
    let said: string | { readonly summary: string }
    try {
      said = await this.compact({ messages, model })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new TreelineError('provider_error', `History compaction failed: ${reason}`, {}, { cause: error })
    }
    const summary = typeof said === 'string' ? said : said?.summary
    if (typeof summary === 'string' && summary.trim() !== '') return summary
    throw new TreelineError('provider_error', 'Generated summary is empty')
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work)
    this.turn = result.catch(() => {})
    return result
  }
}

function normalize(message: Message, parentUuid: string | null, uuid: string = randomUUID()): NormalizedMessage {
  return { parentUuid, uuid, ...message, type: 'message', timestamp: new Date().toISOString() }
}

/** What was said, to be said again elsewhere. */
function withoutPlace(message: NormalizedMessage): Message {
  const { uuid: _id, parentUuid: _parent, type: _type, timestamp: _time, ...said } = message
  return said as Message
}
