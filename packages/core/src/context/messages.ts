import type { Entry } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import type { AgentMessage } from '../entry/message.ts'
import type { DialectRules } from './dialect.ts'
import { isObject, isText, type JsonObject, readTime } from './json.ts'
import type { ProblemReason } from './problem.ts'
import { readRemoteHistory } from './remote-history.ts'

/** What one entry gives to the context. Key order matters: a context is compared and hashed as JSON. */
export interface Emission {
  readonly messages: readonly AgentMessage[]
  readonly problem?: ProblemReason
}

const NOTHING: Emission = { messages: [] }

export function emitMessages(entry: Entry, kind: Kind, rules: DialectRules): Emission {
  switch (kind) {
    case Kind.message:
      return emitStored(entry.message, rules)
    case Kind.custom_message:
      return emitCustom(entry)
    case Kind.branch_summary:
      return emitBranchSummary(entry)
    case Kind.compaction:
      return emitCompaction(entry, rules)
    default:
      return NOTHING
  }
}

/** Roles whose content must be there; with blocks only where `text` is false. */
const CONTENT_ROLES: ReadonlyMap<string, { readonly text: boolean }> = new Map([
  ['user', { text: true }],
  ['developer', { text: true }],
  ['system', { text: true }],
  ['custom', { text: true }],
  ['hookMessage', { text: true }],
  ['assistant', { text: false }],
  ['toolResult', { text: false }],
])

function emitStored(message: unknown, rules: DialectRules): Emission {
  if (!isObject(message) || !isText(message.role)) return { messages: [], problem: 'no_message' }
  const expected = CONTENT_ROLES.get(message.role)
  if (expected === undefined || Array.isArray(message.content)) return emit(message)
  if (typeof message.content === 'string') {
    if (expected.text || !rules.textToBlocks) return emit(message)
    return emit({ ...message, content: [{ type: 'text', text: message.content }] })
  }
  const content = message.role === 'system' ? '' : []
  return { ...emit({ ...message, content }), problem: 'bad_content' }
}

function emitCustom(entry: Entry): Emission {
  const usable = typeof entry.content === 'string' || Array.isArray(entry.content)
  const message = withoutAbsent({
    role: 'custom',
    customType: entry.customType,
    content: usable ? entry.content : [],
    display: entry.display,
    details: entry.details,
    attribution: entry.attribution,
    timestamp: readTime(entry.timestamp),
  })
  return usable ? emit(message) : { ...emit(message), problem: 'bad_content' }
}

function emitBranchSummary(entry: Entry): Emission {
  const { summary, fromId } = entry
  if (typeof summary !== 'string') return { messages: [], problem: 'bad_summary' }
  if (summary === '') return NOTHING
  return emit(withoutAbsent({ role: 'branchSummary', summary, fromId, timestamp: readTime(entry.timestamp) }))
}

function emitCompaction(entry: Entry, rules: DialectRules): Emission {
  const { systemMessage, retainedTail, tokensBefore } = entry
  const summary = withoutAbsent({
    role: 'compactionSummary',
    summary: entry.summary,
    ...Object.fromEntries(rules.summaryFields.map((field) => [field, entry[field]])),
    tokensBefore: typeof tokensBefore === 'number' ? tokensBefore : 0,
    providerPayload: rules.remoteCompaction === false ? undefined : readRemoteHistory(entry),
    timestamp: readTime(entry.timestamp),
  })
  const messages = [summary as unknown as AgentMessage]
  if (rules.systemState && isObject(systemMessage) && systemMessage.role === 'system') {
    messages.unshift(...emitStored(systemMessage, rules).messages)
  }
  if (rules.retainedTail && Array.isArray(retainedTail)) {
    for (const kept of retainedTail) messages.push(...emitStored(kept, rules).messages)
  }
  return { messages }
}

/** Stored messages are passed on as they are: their shape was checked above, unknown roles and fields are kept. */
function emit(message: JsonObject): Emission {
  return { messages: [message as unknown as AgentMessage] }
}

function withoutAbsent(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
