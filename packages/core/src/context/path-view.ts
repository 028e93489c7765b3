import type { Kind, Role } from '../entry/kind.ts'

/** A path, root first, seen through its heads only. Positions run from 0 to `length - 1`. */
export interface PathView {
  readonly length: number
  idAt(position: number): string
  kindAt(position: number): Kind
  roleAt(position: number): Role
  /**
   * For a path that leaves entries out (labels, names): where an entry stands, or the first one below it that is on the
   * path. A compaction may name a label as the first entry it keeps. Without this, only ids on the path are found.
   */
  findFrom?(id: string): number | undefined
}
