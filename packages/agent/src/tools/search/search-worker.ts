import { statSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { parseGlob } from './glob.ts'
import { matchLines } from './match-lines.ts'
import type { Found, FromSearch, SearchOrder } from './search-order.ts'
import { type Walked, walkFiles } from './walk-files.ts'

const FOUND_PER_MESSAGE = 50

/**
 * Walks and matches in a thread of its own, which can be ended in the middle of a match: a pattern may take forever on a
 * single line.
 */
function search({ cwd, start, glob, pattern, secrets = [], limit }: SearchOrder): void {
  let unreadable = 0
  let count = 0
  let waiting: Found[] = []
  const tellFound = (): void => {
    if (waiting.length > 0) tell({ type: 'found', found: waiting })
    waiting = []
  }
  /** False when that was the last one. */
  const add = (found: Found): boolean => {
    if (count === limit) return false
    waiting.push(found)
    // The first ones at once: if the next line takes forever, they are known.
    if (++count <= FOUND_PER_MESSAGE || waiting.length === FOUND_PER_MESSAGE) tellFound()
    return true
  }
  const regex = pattern && new RegExp(pattern.source, pattern.flags)
  const fits = glob === undefined ? () => true : parseGlob(glob)
  const addFrom = ({ path, names, type }: Walked): boolean => {
    if (regex === undefined) return fits(names.join('/')) ? add({ names, isFolder: type === 'folder' }) : true
    if (type !== 'file' || !fits(names.join('/'))) return true
    try {
      for (const { line, text } of matchLines(path, regex, secrets)) if (!add({ names, line, text })) return false
    } catch {
      unreadable++
    }
    return true
  }
  let isLimited = false
  for (const walked of walk(cwd, start, () => unreadable++)) {
    isLimited = !addFrom(walked)
    if (isLimited) break
  }
  tellFound()
  tell({ type: 'done', isLimited, unreadable })
}

function walk(cwd: string, start: string, onUnreadable: () => void): Iterable<Walked> {
  if (!statSync(start).isDirectory()) return [{ path: start, names: [], type: 'file' }]
  const below = relative(cwd, start)
  const isInProject = below !== '' && below !== '..' && !below.startsWith(`..${sep}`)
  const startNames = isInProject ? below.split(sep) : []
  // The rules of the project hold below it, wherever the walk begins.
  const above: { folder: string; depth: number }[] = []
  for (let folder = dirname(start), depth = startNames.length - 1; depth >= 0; folder = dirname(folder), depth--) {
    above.unshift({ folder, depth })
  }
  return walkFiles(start, { above, startNames, onUnreadable })
}

function tell(message: FromSearch): void {
  parentPort!.postMessage(message)
}

try {
  tell({ type: 'started' })
  search(workerData as SearchOrder)
} catch (error) {
  tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
