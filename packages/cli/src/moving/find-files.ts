import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'

const SESSION_FILE = /\.jsonl?$/i
/** Deeper than any tool keeps its sessions; what is there is no folder of sessions. */
const MAX_DEPTH = 12

export interface FoundFiles {
  readonly files: readonly string[]
  /** Folders that could not be read. */
  readonly unread: readonly string[]
}

/**
 * A file, or every `.jsonl` and `.json` below a folder, in the order of their names. Links within it are not followed, and
 * what begins with a dot is left out, as is `node_modules`.
 */
export function findFiles(path: string): FoundFiles {
  if (!isFolder(path)) return { files: [path], unread: [] }
  const files: string[] = []
  const unread: string[] = []
  const folders = [{ path, depth: 0 }]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const below: typeof folders = []
    for (const entry of listFolder(at.path, unread)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const found = join(at.path, entry.name)
      if (entry.isDirectory() && at.depth < MAX_DEPTH) below.push({ path: found, depth: at.depth + 1 })
      else if (entry.isFile() && SESSION_FILE.test(entry.name)) files.push(found)
    }
    folders.push(...below.reverse())
  }
  return { files, unread }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new TreelineError('session_not_found', `There is nothing at ${path}.`)
    throw new TreelineError('bad_request', `${path} cannot be read: ${message}.`, {}, { cause: error })
  }
}

function listFolder(path: string, unread: string[]): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // The caller tells of it; the others are looked at all the same (I7).
    unread.push(path)
    return []
  }
}
