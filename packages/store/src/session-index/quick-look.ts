import { lstatSync } from 'node:fs'

/** What a quick look looks at, and how it was (ADR 5). */
export interface QuickLook {
  /** When all files were looked at. */
  readonly atMs: number
  /** Paths and times. */
  readonly folders: readonly (readonly [string, number])[]
  /** Paths, and what the index knows each by: identity, size and time. */
  readonly files: readonly (readonly [string, string, number, number])[]
}

const BIG = { bigint: true, throwIfNoEntry: false } as const

/**
 * Whether it is all as it was, less than so long ago. Of files on a real disk; needs neither the index nor its sources. By
 * loops and numbers of places: that runs once in a process, where anything nicer takes twice as long.
 */
export function isAsSeen({ atMs, folders, files }: QuickLook, maxAgeMs: number): boolean {
  if (!isRecent(atMs, maxAgeMs)) return false
  for (let i = 0; i < folders.length; i++) if (changedMs(folders[i]![0]) !== folders[i]![1]) return false
  for (let i = 0; i < files.length; i++) if (!isFileAsSeen(files[i]!)) return false
  return true
}

function isFileAsSeen(seen: QuickLook['files'][number]): boolean {
  const stats = lstatSync(seen[0], BIG)
  if (stats === undefined || Number(stats.size) !== seen[2] || Number(stats.mtimeNs) / 1e6 !== seen[3]) return false
  return `${stats.dev}:${stats.ino}` === seen[1]
}

/** A look of the future says nothing: the clock was set back. */
export function isRecent(atMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - atMs
  return ageMs >= 0 && ageMs <= maxAgeMs
}

/** -1 when there is no such folder. */
export function changedMs(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1
}
