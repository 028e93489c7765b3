import type { CustomRoleMessage, StoredMessage, SystemMessage, Usage, UserContent } from './message.ts'

declare const brand: unique symbol
/** Unique in its session. Eight hex characters when Treeline issues it; any string when another tool did. */
export type EntryId = string & { readonly [brand]?: 'EntryId' }
/** UUIDv7 when Treeline issues it. */
export type SessionId = string & { readonly [brand]?: 'SessionId' }

/** The first record of a log; not part of the tree. A missing `version` means 1. */
export interface SessionHeader {
  readonly type: 'session'
  readonly version?: number
  readonly id: SessionId
  readonly timestamp: string
  readonly cwd: string
  readonly title?: string
  readonly titleSource?: 'auto' | 'user'
  /** Opaque lineage: a session id or a path, never a key to follow blindly. */
  readonly parentSession?: string
}

/** oh-my-pi's first line: exactly 256 bytes, rewritten in place by that tool. */
export interface TitleSlot {
  readonly type: 'title'
  readonly v: number
  readonly title: string
  readonly source?: 'auto' | 'user'
  readonly updatedAt: string
  readonly pad: string
}

/** One immutable record. Fields beyond these four are kept exactly as they were read. */
export interface Entry {
  readonly type: string
  readonly id: EntryId
  readonly parentId: EntryId | null
  readonly timestamp: string
  readonly [field: string]: unknown
}

interface Of<T extends string> {
  readonly type: T
  readonly id: EntryId
  readonly parentId: EntryId | null
  readonly timestamp: string
}

export interface MessageEntry extends Of<'message'> {
  readonly message: StoredMessage
}
/** Both spellings: `model` is "provider/id" (xcsh, oh-my-pi), `provider` + `modelId` is Pi's. Treeline writes both. */
export interface ModelChangeEntry extends Of<'model_change'> {
  readonly model?: string
  readonly role?: string
  readonly provider?: string
  readonly modelId?: string
  readonly resolvedModelIsFallback?: boolean
}
export interface ThinkingLevelChangeEntry extends Of<'thinking_level_change'> {
  readonly thinkingLevel: string | null
  readonly configured?: string
}
export interface ServiceTierChangeEntry extends Of<'service_tier_change'> {
  readonly serviceTier: string | Readonly<Record<string, string>> | null
}
export interface ModeChangeEntry extends Of<'mode_change'> {
  readonly mode: string
  readonly data?: unknown
}
export interface ContextChangeEntry extends Of<'context_change'> {
  readonly contextName: string
  readonly tenant?: string
  readonly namespace?: string
}
export interface McpToolSelectionEntry extends Of<'mcp_tool_selection'> {
  readonly selectedToolNames: readonly string[]
}
export interface ActiveToolsChangeEntry extends Of<'active_tools_change'> {
  readonly activeToolNames: readonly string[]
}
export interface TtsrInjectionEntry extends Of<'ttsr_injection'> {
  readonly injectedRules: readonly string[]
}
export interface SessionInitEntry extends Of<'session_init'> {
  readonly systemPrompt: string
  readonly task: string
  readonly tools: readonly string[]
  readonly outputSchema?: unknown
}
export interface CompactionEntry extends Of<'compaction'> {
  readonly summary: string
  readonly shortSummary?: string
  /** Absent when a v1 index pointed nowhere: then nothing before the compaction is kept. */
  readonly firstKeptEntryId?: EntryId
  readonly tokensBefore: number
  readonly tokensAfter?: number
  readonly details?: unknown
  readonly preserveData?: unknown
  readonly fromExtension?: boolean
  readonly fromHook?: boolean
  readonly usage?: Usage
  readonly systemMessage?: SystemMessage
}
export interface BranchSummaryEntry extends Of<'branch_summary'> {
  /** The branch target (seed, older Pi) or the leaf that was left (Pi ≥ 0.84.3); `"root"` for none. */
  readonly fromId: EntryId | 'root'
  readonly summary: string
  readonly details?: unknown
  readonly fromExtension?: boolean
  readonly fromHook?: boolean
  readonly usage?: Usage
}
export interface CustomEntry extends Of<'custom'> {
  readonly customType: string
  readonly data?: unknown
}
export interface CustomMessageEntry extends Of<'custom_message'> {
  readonly customType: string
  readonly content: UserContent
  readonly display: boolean
  readonly details?: unknown
  readonly attribution?: CustomRoleMessage['attribution']
}
export interface ContextEditEntry extends Of<'context_edit'> {
  readonly targetId: EntryId
  readonly replacement: null | { readonly content: unknown }
}
export interface LabelEntry extends Of<'label'> {
  readonly targetId: EntryId
  /** Absent or empty clears the label. */
  readonly label?: string
}
export interface SessionInfoEntry extends Of<'session_info'> {
  readonly name?: string
}
export interface TitleChangeEntry extends Of<'title_change'> {
  readonly title: string
  readonly previousTitle?: string
  readonly source?: 'auto' | 'user'
  readonly trigger?: string
}
export interface UsageEntry extends Of<'usage'> {
  readonly kind: string
  readonly provider: string
  readonly model: string
  readonly usage: Usage
  readonly note?: string
}
export interface ModelUsageEntry extends Of<'model_usage'> {
  readonly purpose: string
  readonly role?: string
  readonly api?: string
  readonly provider: string
  readonly model: string
  readonly usage: Usage
  readonly stopReason?: string
  readonly errorMessage?: string
}
export interface CredentialPinEntry extends Of<'credential_pin'> {
  readonly provider: string
  readonly hash: string
}
/** The context starts anew below this entry (oh-my-pi's /clear). */
export interface ResetBoundaryEntry extends Of<'reset_boundary'> {}
/** pi-agent-core 0.74–0.83 only: the leaf after this line is `targetId`. */
export interface LeafEntry extends Of<'leaf'> {
  readonly targetId: EntryId | null
}

export type KnownEntry =
  | MessageEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | ServiceTierChangeEntry
  | ModeChangeEntry
  | ContextChangeEntry
  | McpToolSelectionEntry
  | ActiveToolsChangeEntry
  | TtsrInjectionEntry
  | SessionInitEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | ContextEditEntry
  | LabelEntry
  | SessionInfoEntry
  | TitleChangeEntry
  | UsageEntry
  | ModelUsageEntry
  | CredentialPinEntry
  | ResetBoundaryEntry
  | LeafEntry

export type KnownType = KnownEntry['type']
export type EntryOf<T extends KnownType> = Extract<KnownEntry, { readonly type: T }>
