import { sortByCell } from './sort-by-cell.ts'

export interface Rects {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly width: Float64Array
  readonly height: Float64Array
}

export interface Rect {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/**
 * Finds boxes by where they are. Boxes are kept in rows, and in a row from left to right; larger ones have taller rows of
 * their own, so that a box reaches at most into the next row and a search looks at little that it does not find.
 * Typed arrays and nothing else: a worker can build it and hand it over.
 */
export interface HitIndex {
  readonly rects: Rects
  readonly bounds: Rect
  /** Boxes by level, row and column. */
  readonly order: Int32Array
  /** Of each in that order. */
  readonly column: Int32Array
  /** Rows that have boxes: their number, and where they begin in `order`; one more at the end. */
  readonly rowNumber: Int32Array
  readonly rowStart: Int32Array
  /** By level, where its rows begin; one more at the end. */
  readonly levelStart: Int32Array
  /** Height of a row of the lowest level, which doubles from level to level, and width of a column. */
  readonly rowHeight: number
  readonly columnWidth: number
}

const LEVELS = 32
/** About a box; and never so small that rows or columns have longer numbers than are sorted quickly. */
const MIN_CELL = 64
const MAX_CELLS = 2 ** 22

export function buildHitIndex(rects: Rects): HitIndex {
  const { x, y, width, height } = rects
  const count = x.length
  const bounds = boundsOf(rects)
  const rowHeight = Math.max(MIN_CELL, (bounds.bottom - bounds.top) / (MAX_CELLS - 1))
  const columnWidth = Math.max(1, (bounds.right - bounds.left) / (MAX_CELLS - 1))
  const level = new Int32Array(count)
  const row = new Int32Array(count)
  const column = new Int32Array(count)
  for (let box = 0; box < count; box++) {
    const size = Math.max(width[box]!, height[box]!)
    let own = 0
    let tall = rowHeight
    for (; tall < size && own < LEVELS - 1; tall *= 2) own++
    level[box] = own
    row[box] = Math.floor((y[box]! - bounds.top) / tall)
    column[box] = Math.floor((x[box]! - bounds.left) / columnWidth)
  }
  const order = sortByCell([column, row, level])
  return { rects, bounds, order, column: pick(column, order), rowHeight, columnWidth, ...listRows(order, row, level) }
}

/** Boxes that touch the rectangle, edges included. */
export function boxesIn(index: HitIndex, { left, top, right, bottom }: Rect): number[] {
  const { rects, bounds, order, column, rowNumber, rowStart, levelStart, rowHeight, columnWidth } = index
  const { x, y, width, height } = rects
  const found: number[] = []
  for (let level = 0; level < LEVELS; level++) {
    const end = levelStart[level + 1]!
    const size = rowHeight * 2 ** level
    const lastRow = (bottom - bounds.top) / size
    const firstColumn = Math.floor((left - size - bounds.left) / columnWidth)
    const lastColumn = (right - bounds.left) / columnWidth
    const firstRow = Math.floor((top - bounds.top) / size) - 1
    for (let row = lowerBound(rowNumber, levelStart[level]!, end, firstRow); row < end; row++) {
      if (rowNumber[row]! > lastRow) break
      const stop = rowStart[row + 1]!
      for (let at = lowerBound(column, rowStart[row]!, stop, firstColumn); at < stop; at++) {
        if (column[at]! > lastColumn) break
        const box = order[at]!
        const isIn =
          x[box]! <= right && x[box]! + width[box]! >= left && y[box]! <= bottom && y[box]! + height[box]! >= top
        if (isIn) found.push(box)
      }
    }
  }
  return found
}

/** The box under a point, -1 if there is none. */
export function boxAt(index: HitIndex, x: number, y: number): number {
  return boxesIn(index, { left: x, top: y, right: x, bottom: y })[0] ?? -1
}

export function padded({ left, top, right, bottom }: Rect, by: number): Rect {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by }
}

function boundsOf({ x, y, width, height }: Rects): Rect {
  if (x.length === 0) return { left: 0, top: 0, right: 0, bottom: 0 }
  let [left, top, right, bottom] = [x[0]!, y[0]!, x[0]!, y[0]!]
  for (let box = 0; box < x.length; box++) {
    left = Math.min(left, x[box]!)
    top = Math.min(top, y[box]!)
    right = Math.max(right, x[box]! + width[box]!)
    bottom = Math.max(bottom, y[box]! + height[box]!)
  }
  return { left, top, right, bottom }
}

function listRows(
  order: Int32Array,
  row: Int32Array,
  level: Int32Array,
): Pick<HitIndex, 'rowNumber' | 'rowStart' | 'levelStart'> {
  const rowNumber = new Int32Array(order.length)
  const rowStart = new Int32Array(order.length + 1)
  const levelStart = new Int32Array(LEVELS + 1)
  let rows = 0
  for (let at = 0; at < order.length; at++) {
    const box = order[at]!
    if (at > 0 && row[order[at - 1]!] === row[box] && level[order[at - 1]!] === level[box]) continue
    rowNumber[rows] = row[box]!
    rowStart[rows] = at
    rows++
    levelStart[level[box]! + 1] = rows
  }
  for (let at = 1; at <= LEVELS; at++) levelStart[at] = Math.max(levelStart[at]!, levelStart[at - 1]!)
  rowStart[rows] = order.length
  return { rowNumber: rowNumber.slice(0, rows), rowStart: rowStart.slice(0, rows + 1), levelStart }
}

function pick(values: Int32Array, order: Int32Array): Int32Array {
  const picked = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) picked[at] = values[order[at]!]!
  return picked
}

/** The first place from `start` up to `end` whose value is not smaller. */
function lowerBound(values: Int32Array, start: number, end: number, value: number): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

export function union(a: Rect | undefined, b: Rect): Rect {
  if (a === undefined) return b
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
}
