import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type IgnoreRules, isIgnored, readIgnoreRules } from './ignore-rules.ts'

export interface Walked {
  readonly path: string
  /** The names below the folder the walk began in. */
  readonly names: readonly string[]
  readonly type: 'file' | 'folder' | 'other'
}

export interface WalkOptions {
  /** Folders above the start whose `.gitignore` counts, outermost first, with the names that lead down from there. */
  readonly above: readonly { readonly folder: string; readonly depth: number }[]
  readonly startNames: readonly string[]
  readonly onUnreadable: (path: string) => void
}

interface Open {
  readonly path: string
  readonly names: readonly string[]
  readonly rules: IgnoreRules
}

/**
 * Everything below a folder that is not ignored, in the order of names, each folder before what is in it. Links are told of
 * and not followed, so that no ring is walked. For a thread of its own: it does not wait for the disk asynchronously.
 */
export function* walkFiles(start: string, options: WalkOptions): Generator<Walked> {
  const { above, startNames, onUnreadable } = options
  let rules: IgnoreRules = []
  for (const { folder, depth } of above) rules = readIgnoreRules(rules, folder, depth)
  const open: (Open | Walked)[] = [{ path: start, names: [], rules }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('type' in next) {
      yield next
      continue
    }
    const { path, names } = next
    const depth = startNames.length + names.length
    const own = readIgnoreRules(next.rules, path, depth)
    const found: (Open | Walked)[] = []
    for (const entry of list(path, onUnreadable)) {
      const below = [...names, entry.name]
      const isFolder = entry.isDirectory()
      if (isIgnored(own, [...startNames, ...below], isFolder)) continue
      const child = join(path, entry.name)
      const type = isFolder ? 'folder' : entry.isFile() ? 'file' : 'other'
      found.push({ path: child, names: below, type })
      if (isFolder) found.push({ path: child, names: below, rules: own })
    }
    for (const item of found.reverse()) open.push(item)
  }
}

function list(path: string, onUnreadable: (path: string) => void): Dirent[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    onUnreadable(path)
    return []
  }
}
