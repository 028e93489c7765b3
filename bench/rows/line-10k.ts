import assert from 'node:assert/strict'
import { parseRecord } from '../../packages/core/src/codec/parse-record.ts'
import { scanLog } from '../../packages/core/src/codec/scan.ts'
import type { Entry } from '../../packages/core/src/entry/entry.ts'
import { buildLine, type Line } from '../../packages/core/src/line/line.ts'
import { runSteps } from '../../packages/core/src/steps.ts'
import { linePath } from '../../packages/core/src/tree/path.ts'
import { Tree } from '../../packages/core/src/tree/tree.ts'
import { nativeCodec } from '../../packages/store/src/log/native-codec.ts'
import { makeLog } from '../inputs/make-log.ts'
import type { Row } from '../row.ts'

interface Input {
  readonly log: Buffer
  /** The same memory; a slice of a Buffer costs more. */
  readonly bytes: Uint8Array
  readonly tree: Tree
  /** Where the records are that the line reads. */
  readonly records: readonly { readonly start: number; readonly end: number }[]
}

export const line10k: Row<Input, Line, Entry[]> = {
  id: 'line-10k',
  what: 'a line 10,000 entries deep, bodies read and checked | decoding and JSON.parse of the same bodies alone',
  target: 1.25,

  prepare() {
    const made = makeLog({ seed: 10, maxEntries: 10_000, sealedShare: 1, branching: 0, textScale: 1 })
    const log = Buffer.from(made.buffer, made.byteOffset, made.length)
    const bytes = new Uint8Array(made.buffer, made.byteOffset, made.length)
    const tree = new Tree(scanLog(log).heads)
    const records: { start: number; end: number }[] = []
    lineOf(bytes, tree, (start, end) => records.push({ start, end }))
    return { log, bytes, tree, records }
  },

  ours({ bytes, tree }) {
    return lineOf(bytes, tree)
  },

  theirs({ log, records }) {
    const bodies: Entry[] = []
    for (const { start, end } of records) bodies.push(JSON.parse(log.toString('utf8', start, end)))
    return bodies
  },

  verify(line, bodies, { tree }) {
    assert.ok(tree.rowCount === 10_000 && bodies.length > 9_800)
    assert.ok(line.nodes.every((node) => node.in && node.repairs === undefined))
    const messages = bodies.filter(({ type }) => type === 'message')
    assert.deepEqual(
      line.nodes.map(({ nodeId }) => nodeId),
      messages.map(({ id }) => id),
    )
    assert.deepEqual(lineTexts(line), messages.flatMap(bodyTexts))
  },
}

/** As a store does it: from the record's bytes, checksum and id looked at. */
function readBody(log: Uint8Array, start: number, end: number, id: string): Entry {
  return parseRecord(log.subarray(start, end), { id, offset: start }, nativeCodec).entry
}

function lineOf(log: Uint8Array, tree: Tree, onRead?: (start: number, end: number) => void): Line {
  const { heads, ids, leaf } = tree
  const { offset, length } = heads
  const path = linePath(tree, leaf)
  return runSteps(buildLine(tree, leaf, {}, path), (positions) =>
    positions.map((position) => {
      const ref = path.refs[position]!
      const row = tree.bodyRow(ref)
      const start = offset[row]!
      const end = start + length[row]!
      onRead?.(start, end)
      return readBody(log, start, end, ids.textOf(ref))
    }),
  )
}

function lineTexts(line: Line): string[] {
  const texts: string[] = []
  for (const { content } of line.messages) {
    for (const part of content) {
      if (part.type === 'tool_call') texts.push(JSON.stringify(part.input))
      else if (part.type === 'tool_result')
        for (const piece of part.output) texts.push('text' in piece ? piece.text : '')
      else if ('text' in part) texts.push(part.text)
    }
  }
  return texts
}

function bodyTexts(entry: Entry): string[] {
  const { content } = entry.message as { readonly content: readonly Record<string, unknown>[] }
  return content.map((block) => {
    if (block.type === 'toolCall') return JSON.stringify(block.arguments)
    return String(block.type === 'thinking' ? block.thinking : block.text)
  })
}
