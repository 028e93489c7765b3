import { TreelineError } from '../errors.ts'
import type { Entry, KnownEntry, KnownType, SessionHeader } from './entry.ts'
import type { AssistantBlock, ImageBlock, StoredMessage } from './message.ts'

export type Validated =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly problems: string[] }

/**
 * Checks an entry against what its type promises. Types, roles, content blocks and fields this version does not know are
 * allowed and left alone; the entry given back is the same object.
 */
export function validateEntry(value: unknown): Validated {
  const problems: string[] = []
  if (!isRecord(value)) return { ok: false, problems: ['it is not an object'] }
  checkFields(value, ENTRY_HEAD, '', problems)
  if (typeof value.type === 'string' && Object.hasOwn(ENTRIES, value.type)) {
    checkFields(value, ENTRIES[value.type as KnownType], '', problems)
  }
  return problems.length === 0 ? { ok: true, entry: value as Entry } : { ok: false, problems }
}

/** As `validateEntry`, but throws `invalid_entry` and says where. */
export function parseEntry(value: unknown, where: { line?: number; offset?: number } = {}): KnownEntry | Entry {
  const validated = validateEntry(value)
  if (validated.ok) return validated.entry
  const id = isRecord(value) && typeof value.id === 'string' ? `Entry ${value.id}` : 'An entry'
  const line = where.line === undefined ? '' : ` on line ${where.line}`
  const problems = validated.problems.join('; ')
  throw new TreelineError('invalid_entry', `${id}${line}: ${problems}. Correct these fields and try again.`, where)
}

export function validateHeader(
  value: unknown,
): { readonly ok: true; readonly header: SessionHeader } | { readonly ok: false; readonly problems: string[] } {
  if (!isRecord(value)) return { ok: false, problems: ['it is not an object'] }
  const problems: string[] = []
  if (value.type !== 'session') problems.push('type must be "session"')
  checkFields(value, HEADER, '', problems)
  return problems.length === 0 ? { ok: true, header: value as unknown as SessionHeader } : { ok: false, problems }
}

/** One check of a value; it adds a sentence to `problems` for what is wrong at `path`. */
type Check = (value: unknown, path: string, problems: string[]) => void
/** Field name to check; a name ending in `?` may be absent. */
type Fields = Readonly<Record<string, Check>>
type Unknown = Readonly<Record<string, unknown>>

/** A message with more is no easier to act on, and hostile input must not fill memory. */
const MAX_PROBLEMS = 10

const text = is('a string', (value) => typeof value === 'string')
const id = is('a non-empty string', (value) => typeof value === 'string' && value !== '')
const number = is('a number', (value) => typeof value === 'number')
const flag = is('true or false', (value) => typeof value === 'boolean')
const object = is('an object', isRecord)
const list = is('a list', Array.isArray)
const texts = is(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
)
const idOrNull = is('an id or null', (value) => value === null || (typeof value === 'string' && value !== ''))
const titleSource = is('"auto" or "user"', (value) => value === 'auto' || value === 'user')
const attribution = is('"user" or "agent"', (value) => value === 'user' || value === 'agent')

const COST: Fields = { input: number, output: number, cacheRead: number, cacheWrite: number, total: number }
const usage = shape({
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  'totalTokens?': number,
  'reasoning?': number,
  'cost?': shape(COST),
})

const BLOCKS = {
  text: { text, 'textSignature?': text },
  thinking: { thinking: text, 'thinkingSignature?': text },
  redactedThinking: { data: text },
  image: { data: text, mimeType: text },
  toolCall: { id: text, name: text, arguments: object, 'thoughtSignature?': text, 'namespace?': text },
} satisfies Record<(AssistantBlock | ImageBlock)['type'], Fields>

const block = oneOf('type', BLOCKS)
const blocks = listOf(block)
const content = textOr(blocks)

const EXECUTION: Fields = {
  output: text,
  'exitCode?': orNull(number),
  cancelled: flag,
  truncated: flag,
  'fullOutputPath?': text,
  'excludeFromContext?': flag,
}
const CUSTOM: Fields = { customType: text, content, display: flag, 'attribution?': attribution }
const file = shape({ path: text, content: text, 'lineCount?': number, 'image?': block })

const SYSTEM: Fields = {
  content,
  'sections?': object,
  'toolsAdded?': list,
  'toolsRemoved?': listOf(shape({ name: text })),
}
const MESSAGES = {
  user: { content },
  developer: { content },
  system: SYSTEM,
  assistant: {
    content: blocks,
    'api?': text,
    'provider?': text,
    'model?': text,
    'usage?': usage,
    'stopReason?': text,
    'errorMessage?': text,
    'latency?': shape({ totalMs: number, 'firstTokenMs?': number }),
  },
  toolResult: { toolCallId: text, toolName: text, content: blocks, isError: flag, 'usage?': usage },
  bashExecution: { command: text, ...EXECUTION },
  pythonExecution: { code: text, ...EXECUTION },
  custom: CUSTOM,
  hookMessage: CUSTOM,
  fileMention: { files: listOf(file) },
} satisfies Record<StoredMessage['role'], Fields>
const message = shape({ 'timestamp?': number }, oneOf('role', MESSAGES))

const HEADER: Fields = {
  id,
  timestamp: text,
  cwd: text,
  'version?': number,
  'title?': text,
  'titleSource?': titleSource,
  'parentSession?': text,
}
const ENTRY_HEAD: Fields = { type: text, id, parentId: idOrNull, timestamp: text }
const BY_TOOL: Fields = { 'fromExtension?': flag, 'fromHook?': flag, 'usage?': usage }
const ENTRIES = {
  message: { message },
  model_change: {
    'model?': text,
    'role?': text,
    'provider?': text,
    'modelId?': text,
    'resolvedModelIsFallback?': flag,
  },
  thinking_level_change: { thinkingLevel: orNull(text), 'configured?': text },
  service_tier_change: { serviceTier: orNull(textOr(object)) },
  mode_change: { mode: text },
  context_change: { contextName: text, 'tenant?': text, 'namespace?': text },
  mcp_tool_selection: { selectedToolNames: texts },
  active_tools_change: { activeToolNames: texts },
  ttsr_injection: { injectedRules: texts },
  session_init: { systemPrompt: text, task: text, tools: texts },
  compaction: {
    summary: text,
    'shortSummary?': text,
    'firstKeptEntryId?': id,
    tokensBefore: number,
    'tokensAfter?': number,
    'systemMessage?': shape(SYSTEM),
    ...BY_TOOL,
  },
  branch_summary: { fromId: id, summary: text, ...BY_TOOL },
  custom: { customType: text },
  custom_message: CUSTOM,
  context_edit: { targetId: id, replacement: orNull(object) },
  label: { targetId: id, 'label?': text },
  session_info: { 'name?': text },
  title_change: { title: text, 'previousTitle?': text, 'source?': titleSource, 'trigger?': text },
  usage: { kind: text, provider: text, model: text, usage, 'note?': text },
  model_usage: {
    purpose: text,
    'role?': text,
    'api?': text,
    provider: text,
    model: text,
    usage,
    'stopReason?': text,
    'errorMessage?': text,
  },
  credential_pin: { provider: text, hash: text },
  reset_boundary: {},
  leaf: { targetId: idOrNull },
} satisfies Record<KnownType, Fields>

function checkFields(value: Unknown, fields: Fields, path: string, problems: string[]): void {
  for (const [name, check] of Object.entries(fields)) {
    if (problems.length >= MAX_PROBLEMS) return
    const optional = name.endsWith('?')
    const key = optional ? name.slice(0, -1) : name
    const field = Object.hasOwn(value, key) ? value[key] : undefined
    if (field === undefined && optional) continue
    check(field, path === '' ? key : `${path}.${key}`, problems)
  }
}

function is(what: string, holds: (value: unknown) => boolean): Check {
  return (value, path, problems) => {
    if (!holds(value)) problems.push(value === undefined ? `${path} is missing (${what})` : `${path} must be ${what}`)
  }
}

function orNull(check: Check): Check {
  return (value, path, problems) => {
    if (value !== null) check(value, path, problems)
  }
}

function textOr(check: Check): Check {
  return (value, path, problems) => {
    if (typeof value !== 'string') check(value, path, problems)
  }
}

function shape(fields: Fields, more?: Check): Check {
  return (value, path, problems) => {
    if (!isRecord(value)) return object(value, path, problems)
    checkFields(value, fields, path, problems)
    more?.(value, path, problems)
  }
}

function listOf(check: Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) return list(value, path, problems)
    for (let at = 0; at < value.length && problems.length < MAX_PROBLEMS; at++) {
      check(value[at], `${path}[${at}]`, problems)
    }
  }
}

/** An object told apart by `tag`. One whose tag is not in the table belongs to a newer tool and is left alone. */
function oneOf(tag: string, table: Readonly<Record<string, Fields>>): Check {
  return (value, path, problems) => {
    if (!isRecord(value)) return object(value, path, problems)
    const name = value[tag]
    if (typeof name !== 'string') return text(name, `${path}.${tag}`, problems)
    if (Object.hasOwn(table, name)) checkFields(value, table[name]!, path, problems)
  }
}

function isRecord(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
