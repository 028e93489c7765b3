import { Deferred } from '../codec/deferred.ts'
import {
  type ReadSaved,
  readAnything,
  readBelow,
  readList,
  readMap,
  readObject,
  readOptional,
  readText,
  readWhole,
  refuseSaved,
} from '../tree/saved-json.ts'
import type { EditOp } from './op.ts'
import {
  type CopyState,
  type DeletedState,
  type EditRecord,
  EditState,
  type FragmentState,
  type LabelState,
  type Touch,
  type UncopiedState,
} from './state.ts'

/** What the edits of a log add up to, as JSON, with maps as lists of pairs. */
export function saveEdits(edits: EditState): unknown {
  return {
    fragments: [...edits.fragments].map(([top, from]) => [top, saveFragment(from)]),
    deleted: [...edits.deleted].map(([ref, { parent, index, fragment, adopted }]) => [
      ref,
      { parent, index, fragment: fragment && saveFragment(fragment), adopted },
    ]),
    copies: [...edits.copies],
    uncopied: [...edits.uncopied].map(([top, nodes]) => [top, nodes.map(saveUncopied)]),
    meta: [...edits.meta].map(([ref, values]) => [ref, [...values]]),
    session: [...edits.session],
    config: [...edits.config],
    name: edits.name,
  }
}

/** What is said of single nodes, which may be thousands and is asked for when they are shown. */
export function saveMarks({ labels, changedAt }: EditState): unknown {
  return { labels: [...labels], changedAt: [...changedAt] }
}

/** The edits one by one, for undo: links between them are their places. */
export function saveHistory(edits: EditState): unknown {
  const places = new Map(edits.records.map((record, place) => [record, place]))
  return {
    records: edits.records.map(({ undoneBy, touched, ...record }) => ({
      ...record,
      touched: touched.map(({ value, before, after }) => [value, before, after]),
      undoneBy: undoneBy === undefined ? undefined : places.get(undoneBy),
    })),
    stamps: [...edits.stamps],
  }
}

/** Field by field, so that the same state gives the same bytes however it came about. */
function saveFragment({ fromParent, fromIndex, at, opId }: FragmentState): FragmentState {
  return { fromParent, fromIndex, at, opId }
}

function saveUncopied({ meta, ...rest }: UncopiedState): unknown {
  return { ...rest, meta: meta === undefined ? undefined : [...meta] }
}

/** `refCount` bounds every ref. Marks and history are taken up when they are asked for: they may be most of what is saved. */
export function restoreEdits(
  saved: unknown,
  refCount: number,
  readMarks: () => unknown,
  readHistory: () => unknown,
): EditState {
  const readRef = readBelow(refCount)
  const state = readObject(saved)
  const edits = new EditState()
  fill(edits.fragments, state.fragments, readRef, readFragment(readRef))
  fill(edits.deleted, state.deleted, readRef, readDeleted(readRef))
  fill(edits.copies, state.copies, readRef, readCopy(readRef))
  fill(edits.uncopied, state.uncopied, readRef, readList(readUncopied(readRef)))
  fill(edits.meta, state.meta, readRef, readMap(readText, readAnything))
  fill(edits.session, state.session, readText, readAnything)
  fill(edits.config, state.config, readText, readAnything)
  edits.name = state.name === null ? null : readOptional(readText)(state.name)
  edits.marking = new Deferred(() => {
    const marks = readObject(readMarks())
    fill(edits.labels, marks.labels, readText, readLabel)
    fill(edits.changedAt, marks.changedAt, readRef, readWhole)
  })
  edits.recalling = new Deferred(() => {
    const history = readObject(readHistory())
    fill(edits.stamps, history.stamps, readText, readWhole)
    restoreRecords(edits, history.records)
  })
  return edits
}

function fill<K, V>(map: Map<K, V>, saved: unknown, readKey: ReadSaved<K>, readValue: ReadSaved<V>): void {
  for (const [key, value] of readMap(readKey, readValue)(saved)) map.set(key, value)
}

function readFragment(readRef: ReadSaved<number>): ReadSaved<FragmentState> {
  return (value) => {
    const { fromParent, fromIndex, at, opId } = readObject(value)
    return { fromParent: readRef(fromParent), fromIndex: readWhole(fromIndex), at: readText(at), opId: readText(opId) }
  }
}

function readDeleted(readRef: ReadSaved<number>): ReadSaved<DeletedState> {
  return (value) => {
    const { parent, index, fragment, adopted } = readObject(value)
    return {
      parent: readRef(parent),
      index: readWhole(index),
      ...(fragment !== undefined && { fragment: readFragment(readRef)(fragment) }),
      ...(adopted !== undefined && { adopted: readList(readRef)(adopted) }),
    }
  }
}

function readCopy(readRef: ReadSaved<number>): ReadSaved<CopyState> {
  return (value) => {
    const { original, body, anchorId, line } = readObject(value)
    return { original: readRef(original), body: readRef(body), anchorId: readText(anchorId), line: readWhole(line) }
  }
}

function readUncopied(readRef: ReadSaved<number>): ReadSaved<UncopiedState> {
  return (value) => {
    const { ref, parent, copy, flags, meta } = readObject(value)
    return {
      ref: readRef(ref),
      // The top hung nowhere when this was noted.
      parent: parent === -1 ? -1 : readRef(parent),
      copy: readCopy(readRef)(copy),
      flags: readBelow(256)(flags),
      meta: readOptional(readMap(readText, readAnything))(meta),
    }
  }
}

function readLabel(value: unknown): LabelState {
  const { label, at } = readObject(value)
  return { label: readText(label), at: readText(at) }
}

function readTouch(value: unknown): Touch {
  const [touched, before, after] = readList(readAnything)(value)
  return { value: readText(touched), before: readWhole(before), after: readWhole(after) }
}

function restoreRecords(edits: EditState, saved: unknown): void {
  const savedRecords = readList(readObject)(saved)
  for (const { id, line, by, undoes, auto, inverse, touched } of savedRecords) {
    const record: EditRecord = {
      id: readText(id),
      line: readWhole(line),
      by: readOptional(readText)(by),
      undoes: readOptional(readText)(undoes),
      auto: auto === true,
      // Checked when it is used, as one that comes from a log is.
      inverse: readList(readAnything)(inverse) as readonly EditOp[],
      touched: readList(readTouch)(touched),
      undoneBy: undefined,
    }
    edits.records.push(record)
    edits.recordById.set(record.id, record)
  }
  savedRecords.forEach(({ undoneBy }, place) => {
    if (undoneBy === undefined) return
    const later = readBelow(edits.records.length)(undoneBy)
    // Always by a later line: whoever follows these links counts on an end.
    if (later <= place) refuseSaved('an edit undone by an earlier one')
    edits.records[place]!.undoneBy = edits.records[later]
  })
}
