import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Services } from '../../services.ts'
import { type Place, placeOfNode } from '../../wire/list-nodes.ts'

/** What is gone on with: all nodes as they are now, or as they were after an event, a node's children, the trunk. */
type Listing = 'tree' | 'past' | 'children' | 'trunk'

/** Where a page ended. Clients hand it back and do not look into it. */
export interface Cursor {
  /** The version of the first page: what came after it is told by events. */
  readonly version: number
  readonly place: Place
}

type Log = Pick<Session, 'tree' | 'seq' | 'epoch'>
type Given = Pick<Services, 'limits'> & { readonly session: Log }

/** A cursor that ends at this node; `undefined` where nothing can go on from it. */
export function toCursor({ tree, epoch }: Log, listing: Listing, version: number, ref: number): string | null {
  const place = placeOfNode(tree, ref)
  if (place === undefined) return null
  const parts = [listing, epoch, version, place.line, place.index, Date.now()]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** `undefined` for the first page. Whatever is not a cursor that was given for this is refused. */
export function readCursor({ limits, session }: Given, listing: Listing, text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const parts = parse(text)
  if (!Array.isArray(parts) || parts.length !== 6) throw noCursor()
  const [what, epoch, ...numbers] = parts as readonly unknown[]
  if (what !== listing || typeof epoch !== 'string' || !numbers.every(isCount)) throw noCursor()
  const [version, line, index, madeAt] = numbers as [number, number, number, number]
  if (epoch !== session.epoch || Date.now() - madeAt > limits.cursorMs) {
    throw new TreelineError('cursor_expired', 'The tree is no more as it was when this cursor was given. Begin anew.')
  }
  if (version > session.seq || line > version) throw noCursor()
  return { version, place: { line, index } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw noCursor()
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function noCursor(): TreelineError {
  return new TreelineError(
    'bad_request',
    'This is no cursor of this list. Give `nextCursor` of the page before, or none.',
  )
}
