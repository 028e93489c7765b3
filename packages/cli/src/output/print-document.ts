import type { Output } from './output.ts'
import { safeJson } from './safe-json.ts'

const PIECE_CHARS = 1 << 16

/** As `out.json`, a piece at a time: a conversation may be longer than one string can be. Lists are written item by item. */
export async function printDocument(out: Output, document: Readonly<Record<string, unknown>>): Promise<void> {
  let piece = ''
  for (const part of parts(document)) {
    piece += part
    if (piece.length < PIECE_CHARS) continue
    await out.raw(piece)
    piece = ''
  }
  await out.raw(piece)
}

function* parts(document: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue
    yield `${before}${safeJson(key)}:`
    before = ','
    if (Array.isArray(value)) yield* listParts(value)
    else yield safeJson(value)
  }
  yield '}\n'
}

function* listParts(items: readonly unknown[]): Generator<string> {
  yield '['
  for (const [i, item] of items.entries()) yield `${i > 0 ? ',' : ''}${safeJson(item)}`
  yield ']'
}
