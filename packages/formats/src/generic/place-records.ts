import { findRings, freeId, isUsableId } from '../foreign-ids.ts'
import { type JsonRecord, valueAt } from '../kept-record.ts'
import type { NoteList } from '../note-list.ts'
import type { FoundRecord } from './find-records.ts'
import { parentOf } from './p9-record.ts'

/** A record with the id and the parent it has here. */
export interface PlacedRecord extends FoundRecord {
  readonly id: string
  readonly parentId: string | null
}

export interface PlacedRecords {
  readonly records: readonly PlacedRecord[]
  /** Where the tool itself would go on: at what the last line is about. */
  readonly last: string | null
}

/**
 * Gives each record its id, the one it has unless that is missing, unusable or taken, and its parent, cutting rings at their
 * first record. Where a record comes again just as it was, the second one is no entry: it says where the tool is.
 */
export function placeRecords(found: readonly FoundRecord[], notes: NoteList): PlacedRecords {
  const first = findFirsts(found)
  const isRepeat = repeatFinder()
  const records: PlacedRecord[] = []
  let last: string | null = null
  for (const record of found) {
    const { value, line, offset } = record
    const own = idOf(value)
    const original = own === undefined ? undefined : first.get(own)
    if (original !== undefined && isRepeat(original, record)) {
      notes.add({ kind: 'info', message: `Line ${line} says again what line ${original.line} says.`, line, id: own })
      last = own!
      continue
    }
    last = own !== undefined && original === record ? own : freeId('', records.length + 1, (id) => first.has(id))
    if (last !== own) {
      const why = original === undefined ? 'has no usable id' : `has the id of line ${original.line}`
      notes.add({
        kind: 'changed',
        message: `The entry in line ${line} ${why}. Here it is ${last}.`,
        line,
        offset,
        id: last,
      })
      first.set(last, record)
    }
    records.push({ ...record, id: last, parentId: parentOf(value) })
  }
  return { records: cutRings(records, first, notes), last }
}

/** Drops the records that only repeat an earlier one, as `placeRecords` does. */
export function withoutRepeats(found: readonly FoundRecord[]): readonly FoundRecord[] {
  const first = findFirsts(found)
  const isRepeat = repeatFinder()
  return found.filter((record) => {
    const id = idOf(record.value)
    return id === undefined || !isRepeat(first.get(id)!, record)
  })
}

function findFirsts(found: readonly FoundRecord[]): Map<string, FoundRecord> {
  const first = new Map<string, FoundRecord>()
  for (const record of found) {
    const id = idOf(record.value)
    if (id !== undefined && !first.has(id)) first.set(id, record)
  }
  return first
}

function idOf(record: JsonRecord): string | undefined {
  const id = valueAt(record, 'id')
  return isUsableId(id) ? id : undefined
}

/** Writes the text of a record that comes often only once. */
function repeatFinder(): (original: FoundRecord, record: FoundRecord) => boolean {
  const texts = new Map<FoundRecord, string>()
  return (original, record) => {
    if (original === record) return false
    const text = texts.get(original) ?? JSON.stringify(original.value)
    texts.set(original, text)
    return text === JSON.stringify(record.value)
  }
}

function cutRings(
  records: readonly PlacedRecord[],
  known: ReadonlyMap<string, unknown>,
  notes: NoteList,
): readonly PlacedRecord[] {
  const rings = findRings(records)
  return records.map((record, position) => {
    const { id, parentId, line } = record
    if (rings.has(position)) {
      notes.add({ kind: 'changed', message: `Entry ${id} is below itself. Here it is a root.`, line, id })
      return { ...record, parentId: null }
    }
    if (parentId !== null && !known.has(parentId)) {
      notes.add({ kind: 'info', message: `The parent of entry ${id} is missing: it is a root.`, line, id })
    }
    return record
  })
}
