/** The smallest thing that has a place in a tree. No parent, `null` and `''` all mean a root (X39). */
export interface LinkedEntry {
  readonly id: string
  readonly parentId?: string | null | undefined
}

/** An entry in seed 004's form: one flat object per message, call or result (P9). */
export interface FlatEntry extends LinkedEntry {
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly type: 'user' | 'assistant' | 'tool_call' | 'tool_result'
  readonly content: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}
