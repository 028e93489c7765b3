import type { Kind, Role } from '../entry/kind.ts'

/** A path, root first, seen through its heads only. Positions run from 0 to `length - 1`. */
export interface PathView {
  readonly length: number
  idAt(position: number): string
  kindAt(position: number): Kind
  roleAt(position: number): Role
  /**
   * For a path that is not the stored one (labels left out, nodes moved, copied or deleted): where what the compaction at
   * `below` keeps begins, when the entry it names as the first is not there. Without this, only ids on the path are found.
   */
  findKept?(id: string, below: number): number | undefined
}
