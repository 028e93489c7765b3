import type { Entry } from '@treeline/core'
import { fold } from './fold.ts'
import type { SearchRole } from './search-types.ts'

/** What the index keeps of a node, and what a search looks through. */
export interface NodeDescription {
  /** Everything said, thought, called, answered or run in it, as stored. */
  readonly text: string
  readonly role: SearchRole
  /** Names of the tools called or answered, as stored. */
  readonly tools: readonly string[]
  /** Files that tools worked on or that were mentioned; folded, as the facet is compared. */
  readonly paths: readonly string[]
  readonly isError: boolean
}

type JsonObject = Readonly<Record<string, unknown>>

/** Beyond these a node is searched by what comes first. Whatever the shape, the work is bounded. */
const MAX_TEXT_CHARS = 4_000_000
const MAX_VALUES = 20_000
const MAX_FACETS = 256
const MAX_FACET_CHARS = 1024

const PATH_KEYS: ReadonlySet<string> = new Set(
  ['path', 'paths', 'file', 'files', 'file_path', 'filepath', 'file_paths', 'filepaths', 'filename', 'filenames']
    .concat([
      'target_file',
      'targetfile',
      'notebook_path',
      'notebookpath',
      'old_path',
      'oldpath',
      'new_path',
      'newpath',
    ])
    .concat(['relative_path', 'relativepath', 'absolute_path', 'absolutepath', 'directory', 'dir_path', 'uri']),
)

/** `undefined` for what has no text: an empty message, an image alone, a message that is not shown. */
export function describeNode(entry: Entry): NodeDescription | undefined {
  const found = new Findings()
  const role = describeEntry(entry, found)
  return role && found.describe(role)
}

function describeEntry(entry: Entry, found: Findings): SearchRole | undefined {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) ? describeMessage(entry.message, found) : undefined
    case 'custom_message':
      return describeCustom(entry, found)
    case 'branch_summary':
    case 'compaction':
      found.say(entry.shortSummary)
      found.say(entry.summary)
      return 'summary'
    default:
      return undefined
  }
}

function describeMessage(message: JsonObject, found: Findings): SearchRole | undefined {
  switch (message.role) {
    case 'user':
      describeContent(message.content, found)
      return 'user'
    case 'assistant':
      describeContent(message.content, found)
      found.say(message.errorMessage)
      found.isError = message.stopReason === 'error'
      return 'assistant'
    case 'toolResult':
      describeContent(message.content, found)
      found.tool(message.toolName)
      found.isError = message.isError === true
      return 'toolResult'
    case 'bashExecution':
    case 'pythonExecution':
      found.say(message.command)
      found.say(message.code)
      found.say(message.output)
      found.isError = typeof message.exitCode === 'number' && message.exitCode !== 0
      return 'bashExecution'
    case 'custom':
    case 'hookMessage':
      return describeCustom(message, found)
    case 'fileMention':
      describeFiles(message.files, found)
      return 'user'
    case 'system':
    case 'developer':
      describeContent(message.content, found)
      describeValues(message.sections, found)
      return 'system'
    default:
      describeContent(message.content, found)
      return 'other'
  }
}

function describeCustom(message: JsonObject, found: Findings): SearchRole | undefined {
  if (message.display === false) return undefined
  describeContent(message.content, found)
  return 'custom'
}

function describeContent(content: unknown, found: Findings): void {
  if (!Array.isArray(content)) {
    found.say(content)
    return
  }
  for (const block of content) {
    if (!found.hasRoom()) return
    if (!isObject(block)) {
      found.say(block)
    } else if (block.type === 'toolCall') {
      found.tool(block.name)
      found.say(block.name)
      describeValues(block.arguments, found)
    } else {
      found.say(block.text)
      found.say(block.thinking)
    }
  }
}

function describeFiles(files: unknown, found: Findings): void {
  if (!Array.isArray(files)) return
  for (const file of files) {
    if (!found.hasRoom()) return
    if (!isObject(file)) continue
    found.path(file.path)
    found.say(file.path)
    found.say(file.content)
  }
}

/** All texts in a value, in order, whatever its depth. */
function describeValues(value: unknown, found: Findings): void {
  const waiting: { readonly value: unknown; readonly isPath: boolean }[] = [{ value, isPath: false }]
  for (let next = waiting.pop(); next && found.hasRoom(); next = waiting.pop()) {
    if (typeof next.value === 'string') {
      found.say(next.value)
      if (next.isPath) found.path(next.value)
    } else if (Array.isArray(next.value)) {
      const { isPath } = next
      for (const item of next.value.slice(0, MAX_VALUES).reverse()) waiting.push({ value: item, isPath })
    } else if (isObject(next.value)) {
      const fields = Object.entries(next.value).slice(0, MAX_VALUES).reverse()
      for (const [key, item] of fields) waiting.push({ value: item, isPath: PATH_KEYS.has(key.toLowerCase()) })
    }
  }
}

class Findings {
  isError = false
  private readonly texts: string[] = []
  private readonly tools = new Set<string>()
  private readonly paths = new Set<string>()
  private room = MAX_TEXT_CHARS
  private values = MAX_VALUES

  /** Counts as one value, so that a loop that asks before each one ends. */
  hasRoom(): boolean {
    return this.room > 0 && this.values-- > 0
  }

  say(text: unknown): void {
    if (typeof text !== 'string' || text === '' || this.room <= 0) return
    const kept = text.length > this.room ? text.slice(0, this.room) : text
    this.texts.push(kept)
    this.room -= kept.length
  }

  tool(name: unknown): void {
    addFacet(this.tools, name)
  }

  path(path: unknown): void {
    if (typeof path === 'string' && path.length <= MAX_FACET_CHARS) addFacet(this.paths, fold(path))
  }

  describe(role: SearchRole): NodeDescription | undefined {
    const text = this.texts.join('\n')
    if (text.trim() === '') return undefined
    return { text, role, tools: [...this.tools], paths: [...this.paths], isError: this.isError }
  }
}

function addFacet(facets: Set<string>, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_FACET_CHARS) return
  if (facets.size < MAX_FACETS) facets.add(value.toWellFormed().replaceAll('\0', ' '))
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
