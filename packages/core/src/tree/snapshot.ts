import { Deferred } from '../codec/deferred.ts'
import type { JsonObject } from '../context/json.ts'
import { restoreEdits, saveEdits, saveHistory, saveMarks } from '../edit/saved-edits.ts'
import { TreelineError } from '../errors.ts'
import { IdTable } from './id-table.ts'
import { Landmarks, saveLandmarks } from './landmarks.ts'
import { PagedColumn } from './paged-column.ts'
import type { TreeParts } from './parts.ts'
import type { TreeProblem } from './problem.ts'
import { listRuns, RunReader } from './runs.ts'
import { restoreColumns, saveColumns } from './saved-columns.ts'
import {
  type ReadSaved,
  readBelow,
  readList,
  readMap,
  readObject,
  readText,
  readWhole,
  refuseSaved,
} from './saved-json.ts'
import { restoreRows, saveRowOf, saveRows } from './saved-rows.ts'
import { type ReadSection, type Section, SectionReader, SectionWriter } from './sections.ts'
import { Tree, type TreeOptions } from './tree.ts'

/** A tree as bytes. Stays as it is while the tree goes on, so it may be written at leisure. */
export interface TreeSnapshot {
  /** JSON, small. */
  readonly meta: JsonObject
  readonly sections: readonly Section[]
}

/** Changes with what the sections hold; any other number is refused. */
const FORMAT = 4
/** Columns are written as they are in memory. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** Far beyond any log, and far enough below what an array can hold. */
const MAX_COUNT = 2 ** 28

/** What is needed to have this tree again without its log: about 31 bytes per entry and what its edits add up to. */
export function saveTree(tree: Tree): TreeSnapshot {
  if (tree.needsRescan) {
    throw new TreelineError('internal', 'A tree that waits for its log to be read anew cannot be saved.')
  }
  const { heads, rowCount: rows, options } = tree
  const parts = tree.parts()
  const refs = parts.ids.count
  const to = new SectionWriter()
  saveIds(to, parts.ids)
  saveColumns(to, parts.columns, refs)
  saveRows(to, heads, parts.refOfRow, parts.columns, rows)
  saveLandmarks(to, tree, refs)
  saveRowOf(to, parts.refOfRow, parts.columns, rows, refs)
  to.add('state', new TextEncoder().encode(JSON.stringify(saveState(parts))))
  to.add('marks', new TextEncoder().encode(JSON.stringify(saveMarks(parts.edits))))
  to.add('history', new TextEncoder().encode(JSON.stringify(saveHistory(parts.edits))))
  const meta = { format: FORMAT, littleEndian: LITTLE_ENDIAN, ...options, rows, refs, sizes: to.sizes() }
  return { meta, sections: to.sections }
}

/**
 * The tree that was saved. `read` is called once for each section and fills the array the tree will use. Rows scanned
 * into its heads afterwards are taken in by `sync`, as on any tree; see `needsRescan` for when that is not possible.
 * Throws `damaged` when something does not add up. What `read` hands over must be what was written: values are checked
 * so that nothing points outside or in a ring, not so that they are true; most when they are first looked at. `onRefused`
 * is told when that finds something.
 */
export function restoreTree(
  meta: unknown,
  read: ReadSection,
  options: TreeOptions = {},
  onRefused: () => void = () => {},
): Tree {
  const saved = readObject(meta)
  if (saved.format !== FORMAT || saved.littleEndian !== LITTLE_ENDIAN) refuseSaved('another format')
  if (saved.sessionId !== (options.sessionId ?? '') || saved.version !== (options.version ?? 3)) {
    refuseSaved('another session')
  }
  const rows = readBelow(MAX_COUNT)(saved.rows)
  const refs = readBelow(MAX_COUNT)(saved.refs)
  if (refs === 0) refuseSaved('no ids at all')
  const from = new SectionReader(readObject(saved.sizes), read, onRefused)
  const { ids, loading } = restoreIds(from, refs, roomFor(refs))
  const { columns, entries } = restoreColumns(from, refs, roomFor(refs))
  const { heads, refOfRow, rowPages } = restoreRows(from, columns, { rows, refs, room: roomFor(rows) })
  const state = restoreState(from, refs)
  const { marking, fetching, recalling } = state.edits
  const ofColumns = [columns.loading, columns.filling, columns.linking]
  for (const part of [loading, ...ofColumns, heads.timing, heads.measuring, marking, fetching, recalling]) {
    part.onFail = (error) => {
      if (error instanceof TreelineError && error.code === 'damaged') onRefused()
    }
  }
  let landmarks: Landmarks | undefined
  const pages = {
    entries,
    rows: rowPages,
    landmarks: () => {
      landmarks ??= new Landmarks(from, refs)
      return landmarks
    },
  }
  return new Tree(heads, options, { ids, columns, refOfRow, ...state, pages })
}

/** Some room to grow into, so that the first line appended does not copy every column. */
function roomFor(count: number): number {
  return count + (count >>> 6) + 256
}

function saveIds(to: SectionWriter, ids: IdTable): void {
  const { count, words, isOther, bytes } = ids.stored()
  const others = listRuns(
    count,
    (ref) => isOther[ref] === isOther[ref - 1],
    (ref) => isOther[ref]!,
  )
  to.add('ids', words)
  to.add('otherIds', Int32Array.from(others))
  to.add('idBytes', bytes)
}

function restoreIds(
  from: SectionReader,
  count: number,
  room: number,
): { readonly ids: IdTable; readonly loading: Deferred } {
  let made: Int32Array | undefined
  const wordsOf = (): Int32Array => {
    made ??= new Int32Array(room * 2)
    return made
  }
  const isOther = new Uint8Array(room)
  const bytes = from.readBytes('idBytes')
  const others = new RunReader(from.readInts('otherIds'), count)
  const ranges: (readonly [number, number])[] = []
  while (others.next < count) {
    const start = others.next
    others.enter()
    if (others.value === 0) continue
    isOther.fill(1, start, others.next)
    ranges.push([start, others.next])
  }
  const loading = new Deferred(() => {
    const words = wordsOf()
    from.fill('ids', words, count * 2)
    for (const [start, end] of ranges) {
      for (let ref = start; ref < end; ref++) {
        const at = words[ref * 2]!
        const size = words[ref * 2 + 1]!
        if (at < 0 || size <= 0 || at + size > bytes.length) refuseSaved('an id out of range')
      }
    }
  })
  const pages = new PagedColumn(from, 'ids', Int32Array, count * 2)
  return { ids: IdTable.restore({ count, wordsOf, isOther, bytes }, loading, pages), loading }
}

function saveState({ edits, leaf, trouble, farGenerations, cut }: TreeParts): unknown {
  return { edits: saveEdits(edits), leaf, trouble, farGenerations: [...farGenerations], cut: [...cut] }
}

function restoreState(from: SectionReader, refs: number): Omit<TreeParts, 'ids' | 'columns' | 'refOfRow' | 'pages'> {
  const readRef = readBelow(refs)
  const { edits, leaf, trouble, farGenerations, cut } = readObject(parseJson(from.readBytes('state')))
  let history: Uint8Array = new Uint8Array()
  const restored = restoreEdits(
    edits,
    refs,
    () => parseJson(from.readBytes('marks')),
    () => {
      restored.fetching.run()
      return parseJson(history)
    },
  )
  restored.fetching = new Deferred(() => {
    history = from.readBytes('history')
  })
  return {
    edits: restored,
    leaf: readRef(leaf),
    trouble: readList(readProblem)(trouble),
    farGenerations: readMap(readRef, readRef)(farGenerations),
    cut: new Set(readList(readRef)(cut)),
  }
}

const readProblem: ReadSaved<TreeProblem> = (value) => {
  const problem = readObject(value)
  readText(problem.type)
  if ('line' in problem) readWhole(problem.line)
  else if (readList(readWhole)(problem.lines).length === 0) refuseSaved('a problem on no line')
  return problem as TreeProblem
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return refuseSaved('no JSON')
  }
}
