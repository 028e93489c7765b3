import { headRole } from '../codec/head.ts'
import type { PathView } from '../context/path-view.ts'
import type { Entry } from '../entry/entry.ts'
import { kindOf } from '../entry/kind.ts'
import type { ReadBodies } from '../steps.ts'

export interface TestPath extends PathView {
  readonly read: ReadBodies
  /** The batches asked for so far. */
  readonly reads: readonly (readonly number[])[]
}

/** A path made of these entries, whatever their ids and parents say. A hole in `bodies` is a body that cannot be read. */
export function pathOf(entries: readonly unknown[], bodies: readonly unknown[] = entries): TestPath {
  const heads = entries as readonly (Partial<Entry> | undefined)[]
  const reads: (readonly number[])[] = []
  const kindAt = (position: number) => kindOf(String(heads[position]?.type), heads[position]?.customType)
  return {
    length: entries.length,
    idAt: (position) => String(heads[position]?.id),
    kindAt,
    roleAt: (position) => headRole(kindAt(position), heads[position] ?? {}),
    read: (positions) => {
      reads.push(positions)
      return positions.map((position) => bodies[position] as Entry | undefined)
    },
    reads,
  }
}
