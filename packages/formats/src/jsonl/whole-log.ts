import { type Entry, NOWHERE, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from '../note.ts'
import { readFullEntry, unreadableNote } from '../transcript/full-entry.ts'
import { leafEdit } from './edit-entry.ts'
import type { LogPart } from './path-entries.ts'

/** Every entry in the order of the log. What cannot be read is left out; what hung under it hangs under what it hung under. */
export async function* wholeLog(session: Session, leaf: number, notes: FormatNote[]): AsyncGenerator<LogPart> {
  const { tree } = session
  addDamage(session, notes)
  const twice = new Set(tree.problems().flatMap((problem) => (problem.type === 'duplicate_id' ? [problem.id] : [])))
  const leftOut = new Map<string, string | null>()
  let row = 0
  for await (const entry of session.entries()) {
    for (; row < tree.rowCount && idAtRow(tree, row) !== entry.id; row++) leaveOut(tree, row, leftOut, notes)
    row++
    const isAsked = !twice.has(entry.id) || (await isFoundById(session, entry))
    const full = isAsked ? await readFullEntry(session, entry, notes) : entry
    yield { entry: relinked(full, leftOut), stored: relinked(entry, leftOut) }
  }
  for (; row < tree.rowCount; row++) leaveOut(tree, row, leftOut, notes)
  const edit = leafEdit(session, leaf)
  if (edit !== undefined) yield { entry: edit, stored: edit }
}

/** Of two entries with one id only one can be asked for by it; the other keeps its references. */
async function isFoundById(session: Session, entry: Entry): Promise<boolean> {
  return JSON.stringify(await session.readEntry(entry.id)) === JSON.stringify(entry)
}

function idAtRow(tree: Tree, row: number): string {
  return tree.ids.textOf(tree.refAtRow(row))
}

function leaveOut(tree: Tree, row: number, leftOut: Map<string, string | null>, notes: FormatNote[]): void {
  const ref = tree.refAtRow(row)
  const above = tree.columns.rawParent[ref]!
  leftOut.set(tree.ids.textOf(ref), above === ROOT || above === NOWHERE ? null : tree.ids.textOf(above))
  notes.push(unreadableNote(tree.ids.textOf(ref)))
}

function relinked(entry: Entry, leftOut: ReadonlyMap<string, string | null>): Entry {
  let { parentId } = entry
  for (let left = leftOut.size; parentId !== null && leftOut.has(parentId) && left > 0; left--) {
    parentId = leftOut.get(parentId)!
  }
  return parentId === entry.parentId ? entry : { ...entry, parentId }
}

function addDamage(session: Session, notes: FormatNote[]): void {
  for (const { severity, reason, line, offset, length } of session.report().skipped) {
    if (severity !== 'damage') continue
    const message = `Line ${line} holds ${length} bytes that are no entry (${reason}). They are left out.`
    notes.push({ kind: 'damage', message, line, offset, length })
  }
}
