import type { Fields } from '../record.ts'

/** Of `content`: text, an image, a call, a result … What nobody knows is passed on. */
export type ContentPart = Fields & { readonly type: string }

/** A message as its writer knows it. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly content: string | readonly ContentPart[]
  /** What an answer says, in one piece. */
  readonly text?: string | undefined
  /** Shown to people in place of the content. */
  readonly uiContent?: string | undefined
  /** For the model only. */
  readonly hidden?: boolean | undefined
  readonly model?: string | undefined
  readonly usage?: Fields | undefined
  readonly [field: string]: unknown
}

/** A message with its place in the tree (N10). */
export interface NormalizedMessage extends Message {
  readonly uuid: string
  readonly parentUuid: string | null
  readonly type: 'message'
  /** ISO 8601. */
  readonly timestamp: string
  readonly sessionId?: string | undefined
}
