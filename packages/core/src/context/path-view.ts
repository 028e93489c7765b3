import { Kind, type Role } from '../entry/kind.ts'

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
  /** For a path of which entries are left out: that one of this kind, above all that are there, would have been asked. */
  missBefore?(kind: Kind): void
  /** The same as `besideMessages` finds, quicker. */
  besideMessages?(): readonly number[]
}

/**
 * Where the entries are that are no messages, in order. They rule what becomes of the others (compactions, resets, changes
 * of the model …) and are few: of a path of a million entries nothing else has to be looked at more than once.
 */
export function besideMessages(path: PathView): readonly number[] {
  if (path.besideMessages !== undefined) return path.besideMessages()
  const positions: number[] = []
  for (let position = 0; position < path.length; position++) {
    if (path.kindAt(position) !== Kind.message) positions.push(position)
  }
  return positions
}
