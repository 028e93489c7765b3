import { Deferred } from '../codec/deferred.ts'
import { Heads, LONG } from '../codec/heads.ts'
import type { Columns } from './columns.ts'
import { OFFSET_STEP, RowPages, type Stretch } from './row-pages.ts'
import { eachPair, listRuns, RunReader } from './runs.ts'
import { refuseSaved } from './saved-json.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

/**
 * Saves what is known of each row. A row usually has the next ref, the next line and begins right after the one before,
 * so of refs, lines and offsets only the breaks are kept.
 */
export function saveRows(to: SectionWriter, heads: Heads, refOfRow: Int32Array, columns: Columns, rows: number): void {
  const { line, offset, hasId, kind, role } = heads
  const gapAt = (row: number) => offset[row]! - (row === 0 ? 0 : offset[row - 1]! + heads.lengthOf(row - 1))
  // Rows are never changed: views will do.
  to.add('times', heads.timeMs.subarray(0, rows))
  to.add('lengths', heads.length.subarray(0, rows))
  to.add('longLengths', Float64Array.from([...heads.longLengths].filter(([row]) => row < rows).flat()))
  to.add(
    'offsets',
    Float64Array.from({ length: Math.ceil(rows / OFFSET_STEP) }, (_, i) => offset[i * OFFSET_STEP]!),
  )
  const refs = listRuns(
    rows,
    (row) => refOfRow[row] === refOfRow[row - 1]! + 1,
    (row) => refOfRow[row]!,
  )
  const lines = listRuns(
    rows,
    (row) => line[row] === line[row - 1]! + 1,
    (row) => line[row]!,
  )
  const gaps = listRuns(rows, (row) => gapAt(row) === gapAt(row - 1), gapAt)
  const withIds = listRuns(
    rows,
    (row) => hasId[row] === hasId[row - 1],
    (row) => hasId[row]!,
  )
  to.add('refs', Int32Array.from(refs))
  to.add('lines', Float64Array.from(lines))
  to.add('gaps', Float64Array.from(gaps))
  to.add('hasIds', Int32Array.from(withIds))
  const oddKinds: number[] = []
  for (let row = 0; row < rows; row++) {
    const ref = refOfRow[row]!
    if (kind[row] !== columns.kind[ref] || role[row] !== columns.role[ref]) {
      oddKinds.push(row, kind[row]! | (role[row]! << 8))
    }
  }
  to.add('oddKinds', Int32Array.from(oddKinds))
}

/** Rows that count for a ref although it has a later one, refs of which none does: what `rowOf` says beyond the rows. */
export function saveRowOf(to: SectionWriter, refOfRow: Int32Array, columns: Columns, rows: number, refs: number): void {
  const expected = new Int32Array(refs).fill(-1)
  for (let row = 0; row < rows; row++) expected[refOfRow[row]!] = row
  const odd: number[] = []
  for (let ref = 0; ref < refs; ref++) {
    if (columns.rowOf[ref] !== expected[ref]) odd.push(ref, columns.rowOf[ref]!)
  }
  to.add('oddRows', Int32Array.from(odd))
}

interface Counts {
  readonly rows: number
  readonly refs: number
  readonly room: number
}

/** What can be filled in from the few bytes that say it is filled in when it is looked at, `columns.rowOf` too. */
export function restoreRows(
  from: SectionReader,
  columns: Columns,
  { rows, refs, room }: Counts,
): { readonly heads: Heads; readonly refOfRow: Int32Array; readonly rowPages: RowPages } {
  const heads = new Heads(room, rows)
  const refOfRow = new Int32Array(room)
  heads.timing = new Deferred(() => {
    heads.makeTimes()
    from.fill('times', heads.timeMs, rows)
  })
  const longLengths = from.readNumbers('longLengths')
  heads.measuring = new Deferred(() => {
    heads.makeLengths()
    from.fill('lengths', heads.length, rows)
    eachPair(longLengths, rows, (row, length) => heads.setLength(row, length))
  })
  const stretches = readStretches(from, rows, refs)
  const oddRows = from.readInts('oddRows')
  const oddKinds = from.readInts('oddKinds')
  eachPair(oddKinds, rows, () => {})
  eachPair(oddRows, refs, (_, row) => {
    if (!(row >= -1 && row < Math.max(1, rows))) refuseSaved('a row out of range')
  })
  heads.filling = columns.filling = new Deferred(() => {
    heads.makePlaces()
    columns.makeRows()
    columns.rowOf.fill(-1, 0, refs)
    let offset = 0
    for (const stretch of stretches) offset = fillStretch(heads, refOfRow, columns, stretch, offset)
    eachPair(oddRows, refs, (ref, row) => {
      columns.rowOf[ref] = row
    })
    eachPair(oddKinds, rows, (row, both) => {
      heads.kind[row] = both & 255
      heads.role[row] = both >> 8
    })
  })
  const rowPages = new RowPages(from, { rows, stretches, longLengths, oddRows })
  heads.places = rowPages
  return { heads, refOfRow, rowPages }
}

function readStretches(from: SectionReader, rows: number, refCount: number): Stretch[] {
  const refs = new RunReader(from.readInts('refs'), rows)
  const lines = new RunReader(from.readNumbers('lines'), rows)
  const gaps = new RunReader(from.readNumbers('gaps'), rows)
  const hasIds = new RunReader(from.readInts('hasIds'), rows)
  const stretches: Stretch[] = []
  for (let row = 0; row < rows; ) {
    for (const run of [refs, lines, gaps, hasIds]) if (run.next === row) run.enter()
    const end = Math.min(refs.next, lines.next, gaps.next, hasIds.next)
    const [ref, line, gap] = [refs.value + row - refs.start, lines.value + row - lines.start, gaps.value]
    if (!(ref > 0 && ref + end - row <= refCount)) refuseSaved('a row without an id')
    if (!Number.isSafeInteger(gap)) refuseSaved('an offset that cannot be')
    stretches.push({ row, end, ref, line, gap, hasId: hasIds.value })
    row = end
  }
  return stretches
}

/** Returns where the last row ends. One plain loop: most of a log is one stretch. */
function fillStretch(heads: Heads, refOfRow: Int32Array, columns: Columns, stretch: Stretch, from: number): number {
  const { line: lines, offset: offsets, length: lengths } = heads
  const { rowOf } = columns
  const { row: start, end, gap } = stretch
  let { ref, line } = stretch
  let offset = from
  for (let row = start; row < end; row++, ref++, line++) {
    refOfRow[row] = ref
    rowOf[ref] = row
    lines[row] = line
    offset += gap
    offsets[row] = offset
    const length = lengths[row]!
    offset += length === LONG ? heads.lengthOf(row) : length
  }
  heads.hasId.fill(stretch.hasId, start, end)
  heads.kind.set(columns.kind.subarray(stretch.ref, ref), start)
  heads.role.set(columns.role.subarray(stretch.ref, ref), start)
  return offset
}
