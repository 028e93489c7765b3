/** Messages as the tools of this field store them: camelCase roles, epoch-millisecond timestamps, content as text or blocks. */

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
  readonly textSignature?: string
}
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
  readonly thinkingSignature?: string
}
export interface RedactedThinkingBlock {
  readonly type: 'redactedThinking'
  readonly data: string
}
/** `data` is base64, or a `blob:sha256:…` reference when the bytes live in the blob store. */
export interface ImageBlock {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}
export interface ToolCallBlock {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly thoughtSignature?: string
  readonly namespace?: string
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolCallBlock
export type UserContent = string | readonly (TextBlock | ImageBlock)[]

export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens?: number
  readonly reasoning?: number
  readonly cost?: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly total: number
  }
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted' | 'deferred'

interface MessageBase {
  readonly timestamp?: number
}

export interface UserMessage extends MessageBase {
  readonly role: 'user'
  readonly content: UserContent
}
export interface DeveloperMessage extends MessageBase {
  readonly role: 'developer'
  readonly content: UserContent
}
/** Pi's replayed system state: `sections` and tools patch what earlier system messages said. */
export interface SystemMessage extends MessageBase {
  readonly role: 'system'
  readonly content: string | readonly TextBlock[]
  readonly sections?: Readonly<Record<string, string | null>>
  readonly toolsAdded?: readonly unknown[]
  readonly toolsRemoved?: readonly { readonly name: string }[]
}
export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  readonly content: readonly AssistantBlock[]
  readonly api?: string
  readonly provider?: string
  readonly model?: string
  readonly usage?: Usage
  readonly stopReason?: StopReason
  readonly errorMessage?: string
  readonly latency?: { readonly totalMs: number; readonly firstTokenMs?: number }
  readonly responseId?: string
  /** Treeline: one of our codes, beside what `errorMessage` says. */
  readonly errorCode?: string
  /** Treeline: the model that was wanted, where it could not be asked. */
  readonly askedModel?: string
  /** Treeline: calls of an answer that ended early; they never ran and are not sent. */
  readonly unrunCalls?: readonly ToolCallBlock[]
  /** Treeline: calls of the provider that failed before this answer came. */
  readonly retries?: readonly {
    readonly at: string
    readonly code: string
    readonly message: string
    readonly delayMs: number
    readonly usage?: Usage
  }[]
  /** Treeline: its process ended before it was complete; what is here was kept on the way. */
  readonly isInterrupted?: boolean
}
export interface ToolResultMessage extends MessageBase {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError: boolean
  readonly details?: unknown
  readonly usage?: Usage
}
interface ExecutionMessage extends MessageBase {
  readonly output: string
  readonly exitCode?: number
  readonly cancelled: boolean
  readonly truncated: boolean
  readonly fullOutputPath?: string
  /** A `!!` command: kept in the tree, never shown to the model. */
  readonly excludeFromContext?: boolean
}
export interface BashExecutionMessage extends ExecutionMessage {
  readonly role: 'bashExecution'
  readonly command: string
}
export interface PythonExecutionMessage extends ExecutionMessage {
  readonly role: 'pythonExecution'
  readonly code: string
}
export interface CustomRoleMessage extends MessageBase {
  readonly role: 'custom' | 'hookMessage'
  readonly customType: string
  readonly content: UserContent
  readonly display: boolean
  readonly details?: unknown
  readonly attribution?: 'user' | 'agent'
}
export interface FileMentionMessage extends MessageBase {
  readonly role: 'fileMention'
  readonly files: readonly {
    readonly path: string
    readonly content: string
    readonly lineCount?: number
    readonly image?: ImageBlock
  }[]
}
/** Never stored as a message: made from a `branch_summary` entry. */
export interface BranchSummaryMessage extends MessageBase {
  readonly role: 'branchSummary'
  readonly summary: string
  readonly fromId: string
}
/** Never stored as a message: made from a `compaction` entry. */
export interface CompactionSummaryMessage extends MessageBase {
  readonly role: 'compactionSummary'
  readonly summary: string
  readonly shortSummary?: string
  readonly tokensBefore: number
  readonly providerPayload?: unknown
}

export type StoredMessage =
  | UserMessage
  | DeveloperMessage
  | SystemMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | PythonExecutionMessage
  | CustomRoleMessage
  | FileMentionMessage

/** What `context` yields: stored messages plus those made from summaries. */
export type AgentMessage = StoredMessage | BranchSummaryMessage | CompactionSummaryMessage
export type MessageRole = AgentMessage['role']
