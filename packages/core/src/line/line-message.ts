/** What a model receives, in no provider's dialect: every provider's form is a plain translation of it. */

export interface LineText {
  readonly type: 'text'
  readonly text: string
}
export interface LineReasoning {
  readonly type: 'reasoning'
  readonly text: string
  /** The provider's proof that it wrote this, or its encrypted form; useless to any other provider. */
  readonly signature?: string
  readonly redacted?: string
  /** Who signed or encrypted it. */
  readonly provider?: string
}
/** `data` is base64 or a `blob:sha256:…` reference. */
export interface LineImage {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}
export interface LineToolCall {
  readonly type: 'tool_call'
  readonly toolCallId: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly signature?: string
  /** Who signed it. */
  readonly provider?: string
}
export interface LineToolResult {
  readonly type: 'tool_result'
  readonly toolCallId: string
  readonly name: string
  readonly output: readonly (LineText | LineImage)[]
  readonly isError: boolean
}

export type LinePart = LineText | LineReasoning | LineImage | LineToolCall | LineToolResult

/** A system message is always the first and only one. Runs of one role are merged, so roles alternate. */
export type LineMessage =
  | { readonly role: 'system'; readonly content: readonly LineText[]; readonly nodeIds: readonly string[] }
  | { readonly role: 'user'; readonly content: readonly (LineText | LineImage)[]; readonly nodeIds: readonly string[] }
  | {
      readonly role: 'assistant'
      readonly content: readonly (LineText | LineReasoning | LineToolCall)[]
      readonly nodeIds: readonly string[]
    }
  /** Answers every call of the assistant message before it, in the order of the calls. */
  | { readonly role: 'tool'; readonly content: readonly LineToolResult[]; readonly nodeIds: readonly string[] }

/** Why a node of the trunk is not sent. */
export type OutReason =
  | 'muted'
  | 'compacted'
  | 'reset'
  | 'generating'
  | 'failed'
  /** Its text was withdrawn by a `context_edit`. */
  | 'omitted'
  /** A `!!` command: kept from the model on purpose. */
  | 'excluded'
  /** Nothing in it that a model could read. */
  | 'empty'
  | 'unreadable'

/** What was done to make a node sendable; its words are in the line all the same. */
export type Repair =
  /** The tool result stands as text, because its call is not in the line. */
  | 'result_as_text'
  /** The result was moved up to its call. */
  | 'result_moved'
  /** Calls without a result got one that says so. */
  | 'result_missing'
  /** Call ids were changed, being unusable or used twice. */
  | 'call_renamed'

/** One per node of the trunk, in order. */
export type LineNode =
  | { readonly nodeId: string; readonly in: true; readonly repairs?: readonly Repair[] }
  | { readonly nodeId: string; readonly in: false; readonly reason: OutReason }
