import { type Heads, LONG } from './heads.ts'

/**
 * Adds the rows `[first, end)` of one log's heads to another's, into which their lines were copied as they are, one after
 * the other: the first of them to `offset`, as line number `line`. Not for rows from saved columns, whose ids are
 * elsewhere, nor for kinds whose body the tree reads.
 */
export function copyRows(from: Heads, first: number, end: number, to: Heads, offset: number, line: number): void {
  const count = end - first
  if (count === 0) return
  const idStart = from.idStart(first)
  const idBytes = from.idBytes.subarray(idStart, from.idEnd[(end - 1 - from.savedRows) * 2 + 1])
  to.reserveIdBytes(idBytes.length)
  const at = to.reserveRows(count)
  to.kind.set(from.kind.subarray(first, end), at)
  to.role.set(from.role.subarray(first, end), at)
  to.timeMs.set(from.timeMs.subarray(first, end), at)
  to.length.set(from.length.subarray(first, end), at)
  const [fresh, fromFresh] = [at - to.savedRows, first - from.savedRows]
  to.parentForm.set(from.parentForm.subarray(fromFresh, fromFresh + count), fresh)
  to.idBytes.set(idBytes, to.idByteCount)
  const moved = to.idByteCount - idStart
  const [idEnd, fromIdEnd] = [to.idEnd, from.idEnd]
  for (let i = 0; i < count * 2; i++) idEnd[fresh * 2 + i] = fromIdEnd[fromFresh * 2 + i]! + moved
  to.idByteCount += idBytes.length
  writePlaces(from, first, to, at, count, offset, line)
}

/** Each line begins where the one before it ended. */
function writePlaces(
  from: Heads,
  first: number,
  to: Heads,
  at: number,
  count: number,
  offset: number,
  line: number,
): void {
  const { offset: offsets, line: lines, length: lengths } = to
  let start = offset
  for (let i = 0; i < count; i++) {
    offsets[at + i] = start
    lines[at + i] = line + i
    const length = lengths[at + i]!
    if (length === LONG) to.setLength(at + i, from.lengthOf(first + i))
    start += (length === LONG ? from.lengthOf(first + i) : length) + 1
  }
}
