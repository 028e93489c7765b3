import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { defaultHome, homePaths } from '../paths.ts'
import { isAsSeen, type QuickLook } from './quick-look.ts'

/** What stands on the first line of a saved page, before the page itself (ADR 15). */
export interface PageHead {
  readonly key: string
  /** Of the index it was read from. */
  readonly identity: string
  readonly look: QuickLook
}

export interface FindPageOptions {
  /** `$TREELINE_HOME` or `~/.treeline` by default. */
  readonly home?: string | undefined
  /** All that the page depends on besides the index: what was asked, of which sources, in which form. */
  readonly key: string
  /** As in `RefreshOptions`. */
  readonly withinMs: number
}

/** A longer list is no page, and takes longer to read than to make. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024
const LINE_END = 10

/**
 * The page that `keepPage` kept under this key, if a quick look finds everything as it was then. Opens no index and loads
 * nothing that does. Never throws.
 */
export function findPage({ home = defaultHome(), key, withinMs }: FindPageOptions): Buffer | undefined {
  try {
    const { savedPage, indexFile } = homePaths(realpathSync.native(home))
    const bytes = readHalf(savedPage)
    const end = bytes?.indexOf(LINE_END) ?? -1
    if (bytes === undefined || end < 0) return undefined
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as PageHead
    const isSame = head.key === key && head.identity === identityOf(indexFile) && isAsSeen(head.look, withinMs)
    return isSame ? bytes.subarray(end + 1) : undefined
  } catch {
    // Not there, not ours or not to be read: whoever asks goes to the index, which tells what is the matter.
    return undefined
  }
}

/**
 * The file holds everything twice. To compare the halves takes next to no time; to add up as many bytes takes longer than
 * all the rest, in a process that has just started.
 */
function readHalf(path: string): Buffer | undefined {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile() || stats.size > 2 * MAX_PAGE_BYTES || stats.size % 2 !== 0) return undefined
    const bytes = Buffer.allocUnsafe(stats.size)
    if (readSync(fd, bytes) !== stats.size) return undefined
    const half = bytes.subarray(0, stats.size / 2)
    return half.equals(bytes.subarray(stats.size / 2)) ? half : undefined
  } finally {
    closeSync(fd)
  }
}

function identityOf(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true })
  return `${dev}:${ino}`
}
