import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { matchParts } from './glob.ts'

const MAX_FILE_BYTES = 256 * 1024
const MAX_RULES = 2000
/** Longer ones are no paths, and take long to look at. */
const MAX_RULE_CHARS = 4096
/** Never looked into: what is in them was not written here. */
const ALWAYS: ReadonlySet<string> = new Set(['.git', 'node_modules'])

interface Rule {
  readonly parts: readonly string[]
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** What a `.gitignore` says about what is below its folder. */
interface RuleSet {
  /** How many names of a path come before this folder's own. */
  readonly depth: number
  readonly rules: readonly Rule[]
}

/** The rules that hold in a folder: its own last, since the last word counts. */
export type IgnoreRules = readonly RuleSet[]

/** The rules of a folder: those above it, and its own `.gitignore` if it has one. Basics: no global excludes. */
export function readIgnoreRules(above: IgnoreRules, folder: string, depth: number): IgnoreRules {
  const path = join(folder, '.gitignore')
  let text: string
  try {
    text = readSmallFile(path) ?? ''
  } catch {
    // There is none, or none that can be read: nothing is ignored by it.
    return above
  }
  const rules = text
    .split(/\r?\n/, MAX_RULES)
    .map(parseRule)
    .filter((rule) => rule !== undefined)
  return rules.length === 0 ? above : [...above, { depth, rules }]
}

/** `undefined` for what is larger than such a file is. A link may lead to a file of the kernel, which has no end. */
function readSmallFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return undefined
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1)
    let length = 0
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, length)
    }
    return length > MAX_FILE_BYTES ? undefined : buffer.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

/** `names` is the path from where the outermost rules are. */
export function isIgnored(rules: IgnoreRules, names: readonly string[], isFolder: boolean): boolean {
  if (ALWAYS.has(names.at(-1)!)) return true
  for (let i = rules.length - 1; i >= 0; i--) {
    const { depth, rules: own } = rules[i]!
    const below = names.slice(depth)
    for (let j = own.length - 1; j >= 0; j--) {
      const { parts, isNegated, foldersOnly } = own[j]!
      if ((isFolder || !foldersOnly) && matchParts(parts, below)) return !isNegated
    }
  }
  return false
}

function parseRule(line: string): Rule | undefined {
  if (line.length > MAX_RULE_CHARS) return undefined
  const text = line.replace(/(?<!\\)\s+$/, '')
  if (text === '' || text.startsWith('#')) return undefined
  const isNegated = text.startsWith('!')
  const pattern = (isNegated ? text.slice(1) : text).replace(/\/$/, '')
  if (pattern === '') return undefined
  // A slash within the pattern ties it to this folder.
  const parts = pattern.replace(/^\//, '').split('/')
  const isTied = pattern.includes('/')
  return { parts: isTied ? parts : ['**', ...parts], isNegated, foldersOnly: text.endsWith('/') }
}
