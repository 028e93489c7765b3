import { lstat, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { runSearch } from '@treeline/agent'
import { isTypeable } from './mention.ts'
import { rankPaths } from './rank-paths.ts'

/** More are not offered: who has more types a path. */
const MAX_PATHS = 200_000
const MAX_WALK_MS = 15_000
/** Older than this it is looked again, while the old names are offered. */
const FRESH_MS = 5_000

/**
 * The files and folders of a project by name, without what Git ignores. Looked for in a thread of its own when first asked
 * for, and kept. Class: every key asks, and all share one walk.
 */
export class ProjectFiles {
  private readonly cwd: string
  private paths: readonly string[] = []
  private walkedAt = Number.NEGATIVE_INFINITY
  private walking: Promise<void> | undefined
  private readonly stop = new AbortController()

  constructor(cwd: string) {
    this.cwd = cwd
  }

  /** Those that fit what was typed, the best first, folders with a slash behind them. */
  async find(begun: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const isKnown = this.walkedAt > Number.NEGATIVE_INFINITY
    if (performance.now() - this.walkedAt > FRESH_MS) this.walking ??= this.walk()
    if (!isKnown) await this.walking
    signal.throwIfAborted()
    const found = await rankPaths(this.paths, begun, limit, signal)
    const inside = await Promise.all(found.map((path) => this.isInside(path)))
    return found.filter((_, at) => inside[at])
  }

  close(): void {
    this.stop.abort()
  }

  private async walk(): Promise<void> {
    try {
      const order = { cwd: this.cwd, start: this.cwd, limit: MAX_PATHS }
      const { found } = await runSearch(order, this.stop.signal, MAX_WALK_MS)
      const paths = found.map(({ names, isFolder }) => `${names.join('/')}${isFolder ? '/' : ''}`)
      this.paths = paths.filter(isTypeable)
    } catch {
      // The folder is gone, may not be read, or the chat ends: what was known stays offered, and who names a file is told.
    } finally {
      this.walkedAt = performance.now()
      this.walking = undefined
    }
  }

  /** Of a link that leads out of the project nothing is offered, nor of what is neither a file nor a folder. */
  private async isInside(path: string): Promise<boolean> {
    const full = join(this.cwd, path)
    try {
      const found = await lstat(full)
      if (!found.isSymbolicLink()) return found.isFile() || found.isDirectory()
      const [root, target] = await Promise.all([realpath(this.cwd), realpath(full)])
      return target.startsWith(`${root}${sep}`) && (await stat(target)).isFile()
    } catch {
      // It was there when it was walked by, and is not any more.
      return false
    }
  }
}
