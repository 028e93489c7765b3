import type { AgentMessage } from '@treeline/core'
import type { ModelInfo } from '../models/model.ts'

/** What is about to be sent, in numbers. */
export interface RequestSize {
  /** About how many tokens the request has, the pending prompt included (X63). */
  readonly tokens: number
  /** Of those, what no compaction can take away: system prompt, tools, pinned notes. */
  readonly fixedTokens: number
  readonly model: ModelInfo
}

/** One node of the line that a compaction may cover, oldest first. */
export interface CompactionItem {
  readonly nodeId: string
  readonly message: AgentMessage
  readonly tokens: number
  /** A cut may be made before it: never before a tool result. */
  readonly canStart: boolean
  /** A turn begins with it. */
  readonly startsTurn: boolean
  /** The prompt that waits for its answer: it is always kept (X60). */
  readonly isPending: boolean
}

/**
 * When to compact, and where to cut. Pure: the same request gives the same answer.
 */
export interface CompactionPolicy {
  readonly name: string
  shouldCompact(size: RequestSize): boolean
  /** The index of the first item that is kept; 0 covers nothing, `items.length` keeps nothing. */
  findCut(items: readonly CompactionItem[], size: RequestSize): number
}
