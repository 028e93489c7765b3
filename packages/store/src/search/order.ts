import { hash } from 'node:crypto'
import { TreelineError } from '@treeline/core'

/** Where a node stands among all others: newest first, and the same whether it is indexed, indexed anew or not at all. */
export interface Position {
  readonly time: number
  /** Of the file, see `pathKey`. */
  readonly file: string
  readonly offset: number
}

const CURSOR = /^(-?\d{1,16})\.(\d{1,16})\.([0-9a-f]{16})$/

/** Below 0 when `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  if (a.time !== b.time) return b.time - a.time
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return b.offset - a.offset
}

/** Forks have nodes of the same time in several files; their order must not depend on when they were indexed. */
export function pathKey(path: string): string {
  return hash('sha256', path, 'hex').slice(0, 16)
}

export function writeCursor({ time, offset, file }: Position): string {
  return `${time}.${offset}.${file}`
}

export function readCursor(cursor: unknown): Position | undefined {
  if (cursor === undefined) return undefined
  const [, time, offset, file] = (typeof cursor === 'string' && CURSOR.exec(cursor)) || []
  if (file === undefined) {
    const message = 'The search cannot go on: `after` is not what a page gave as `next`. Search without it.'
    throw new TreelineError('validation_failed', message)
  }
  return { time: Number(time), offset: Number(offset), file }
}
