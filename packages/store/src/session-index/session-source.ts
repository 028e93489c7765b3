import type { Entry, SessionHeader, Tree } from '@treeline/core'
import type { OnUnread } from '../log-files.ts'
import type { FileStat } from '../storage/storage.ts'

/** A place where sessions are: our own folder, or that of another tool. The index is handed these; it knows no format. */
export interface SessionSource {
  /** `treeline` for our own; the tool's name for others. */
  readonly name: string
  /** Where its files, or the folders they are in, come and go. */
  readonly folders: readonly string[]
  /** Absolute paths of the files that hold sessions. A folder that cannot be read is told of and hides no other (I7). */
  list(unread: OnUnread): Iterable<string>
  /** Follows no link; throws ENOENT. */
  stat(path: string): FileStat
  open(path: string): Promise<SourceSession>
  /** Bodies of nodes found in the index, `undefined` for one that is no longer where it was. Opens no tree. */
  read(path: string, places: readonly NodePlace[]): Promise<(Entry | undefined)[]>
}

export interface SourceSession extends AsyncDisposable {
  /** `id: ''` when the file has no header that can be read. */
  readonly header: SessionHeader
  readonly tree: Tree
  /** Bytes of the file that this reading covers; more, if it was growing. */
  readonly size: number
  readonly damageCount: number
  /**
   * Recognises what was read, so that a later reading can tell growth from replacement: equal for as long as the first
   * `rows` rows are the same lines.
   */
  markAt(rows: number): string | Promise<string>
  /** Bodies by row of the tree's heads; `undefined` where the bytes are damaged. */
  readEntries(rows: readonly number[]): Promise<(Entry | undefined)[]>
}

/** Where the body of a node is, by what the index keeps of it. */
export interface NodePlace {
  readonly id: string
  readonly offset: number
  readonly length: number
}

/**
 * How a worker makes a source that is not our own: it imports `module` (a file URL) and calls its export `createSource`
 * with `options`, which have to survive being copied between threads.
 */
export interface SourceModule {
  readonly module: string
  readonly options?: unknown
}
