import { buildContext, type Context } from '../context/context.ts'
import type { Dialect } from '../context/dialect.ts'
import type { PathView } from '../context/path-view.ts'
import type { Entry, EntryId, SessionHeader, TitleSlot } from '../entry/entry.ts'
import { readLog } from '../log.ts'
import { type ReadBodies, runSteps } from '../steps.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { storedPath } from '../tree/path.ts'

/** A log as the tests look at it: through the scanner, the tree and the reader of single entries. */
export interface LoadedLog {
  readonly header: SessionHeader | undefined
  readonly titleSlot: TitleSlot | undefined
  /** As migrated, in log order. */
  readonly entries: readonly Entry[]
  /** Lines that hold bytes which are no record. */
  readonly damaged: number
  /** The last entry, of whatever type, as other tools take it. */
  readonly leafId: EntryId | null
  /** Labels of entries that exist. */
  readonly labels: Readonly<Record<EntryId, string>>
  readonly name: string | undefined
  path(leafId: EntryId | null): LoadedPath
}

export interface LoadedPath extends PathView {
  readonly ids: readonly EntryId[]
  /** A ring or an entry that is its own parent was cut to get this path. */
  readonly cyclic: boolean
  readonly read: ReadBodies
}

export function contextAt(log: LoadedLog, leafId: EntryId | null, dialect: Dialect): Context {
  const path = log.path(leafId)
  return runSteps(buildContext(path, dialect), path.read)
}

export function loadLog(bytes: Uint8Array): LoadedLog {
  const log = readLog(bytes)
  const { tree } = log
  const rows = Array.from({ length: tree.rowCount }, (_, row) => tree.refAtRow(row))
  const entries = rows.map((ref) => log.readEntry(ref)).filter((entry) => entry !== undefined)
  const last = rows.at(-1)
  const isKnown = (id: string) => tree.ids.find(id) > ROOT && tree.columns.has(tree.ids.find(id), Flag.known)
  return {
    header: log.header,
    titleSlot: log.titleSlot,
    entries,
    damaged: new Set(log.skipped.filter(({ severity }) => severity === 'damage').map(({ line }) => line)).size,
    leafId: last === undefined ? null : tree.ids.textOf(last),
    labels: Object.fromEntries(
      [...tree.edits.labels].filter(([id]) => isKnown(id)).map(([id, { label }]) => [id, label]),
    ),
    name: tree.edits.name ?? undefined,
    path: (leafId) => {
      const path = storedPath(tree, leafId === null ? ROOT : tree.ids.find(leafId))
      const ids = Array.from(path.refs, (ref) => tree.ids.textOf(ref))
      const cut = tree.problems().flatMap((p) => (p.type === 'cycle' || p.type === 'self_parent' ? [p.id] : []))
      return {
        length: path.length,
        ids,
        cyclic: ids.some((id) => cut.includes(id)),
        idAt: (position) => path.idAt(position),
        kindAt: (position) => path.kindAt(position),
        roleAt: (position) => path.roleAt(position),
        read: (positions) => positions.map((position) => log.readEntry(path.refs[position]!)),
      }
    },
  }
}
