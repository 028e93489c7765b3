import { type Entry, Flag, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { damageNotes } from '../damage-notes.ts'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import { isRecord, type JsonRecord, restoreRecord } from '../kept-record.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { REDACTION_NOTICE, redactEntry } from '../redact/redact.ts'
import { tellUnwritten } from '../tell-unwritten.ts'
import { planWriting, readBodies, type WritePlan } from '../write-plan.ts'
import { tellUnsaid } from './tell-unsaid.ts'
import { CHANGEABLE, toRecords } from './to-records.ts'

/** Flat records (P9). The last line is the leaf's, because that is where readers of this format go on (X22). */
export const genericWriter: Writer = { name: 'generic', title: 'Generic JSONL', extension: '.jsonl', write }

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes = new NoteList()
  for (const note of damageNotes(session)) notes.add(note)
  if (options.redact) notes.add({ kind: 'changed', message: REDACTION_NOTICE })
  const plan = await planWriting(session, { ...options, isOurs, showsOrder: true })
  const order = leafLast(plan, notes)
  const asIs = (record: JsonRecord): JsonRecord => record
  const finish = options.redact ? redactEntry : asIs
  for await (const { ref, entry, isWhole } of readBodies(session, { ...plan, refs: order })) {
    const id = plan.tree.ids.textOf(ref)
    if (entry === undefined) {
      notes.add({ kind: 'damage', message: `Entry ${id} cannot be read and is left out.`, id })
      continue
    }
    if (!isWhole) notes.count('left_out', 'A part of an entry that is kept apart from it is missing', id)
    const lines = recordsOf(plan, ref, entry, notes).map((record) => `${JSON.stringify(finish(record))}\n`)
    await sink(lines.join(''))
  }
  tellUnsaid(session, plan, notes)
  tellUnwritten(session, plan, notes)
  return notes.all()
}

function isOurs(entry: Entry): boolean {
  return isRecord(entry.generic)
}

function recordsOf(plan: WritePlan, ref: number, entry: Entry, notes: NoteList): readonly JsonRecord[] {
  const { ids, columns } = plan.tree
  const extraId = (number: number): string => {
    let id = `${entry.id}-${number}`
    while (ids.find(id) > ROOT) id += '-'
    return id
  }
  const parentId = plan.parentIdOf(ref)
  const records = toRecords(entry, parentId, (kind, what) => notes.count(kind, what, entry.id), extraId)
  if (!isRecord(entry.generic)) return records
  const original = restoreRecord(entry.generic, records.at(-1)!, CHANGEABLE)
  // Its own id was taken or none at all; now that something hangs under it, it needs one that can be named.
  const needsId = columns.firstChild[ref] !== 0 || columns.has(ref, Flag.copy)
  return [needsId && original.id !== entry.id ? { ...original, id: entry.id } : original]
}

function leafLast({ tree, refs, leaf }: WritePlan, notes: NoteList): readonly number[] {
  const at = refs.indexOf(leaf)
  if (at < 0) {
    const message = 'The conversation starts over. Readers of this format go on from the last line instead.'
    if (refs.length > 0) notes.add({ kind: 'changed', message })
    return refs
  }
  if (at === refs.length - 1) return refs
  const id = tree.ids.textOf(leaf)
  const message = `Entry ${id} is written last, because readers of this format go on from the last line.`
  notes.add({ kind: 'info', message, id })
  return [...refs.slice(0, at), ...refs.slice(at + 1), leaf]
}
