import { crc32 } from 'node:zlib'
import type { Entry, EntryDraft } from '@treeline/core'

/** Of a record's text, about: a short message, a screen, a long tool result, a whole file. */
export const RECORD_BYTES = [200, 4096, 100_000, 1_000_000] as const
const BLOCK_CHARS = 100_000

/**
 * An entry that follows from its id alone, so that whoever finds it can say whether it is what was sent. Long ones are
 * many blocks: one text of that length would be cut and kept as a blob.
 */
export function sampleDraft(id: string, bytes: number): EntryDraft {
  const text = sampleText(id, bytes)
  const blocks = Array.from({ length: Math.ceil(text.length / BLOCK_CHARS) }, (_, i) => ({
    type: 'text',
    text: text.slice(i * BLOCK_CHARS, (i + 1) * BLOCK_CHARS),
  }))
  return { type: 'message', id, message: { role: 'user', content: blocks, timestamp: 0 } }
}

/** Structure inside strings, and characters of every width: what a torn write cuts badly. */
function sampleText(id: string, bytes: number): string {
  const unit = `${id} {"type":"x"} \\"é🜁\\n ${crc32(id).toString(36)} `
  return unit
    .repeat(Math.ceil(bytes / unit.length))
    .slice(0, bytes)
    .toWellFormed()
}

/** What a reader must find of a draft: everything it said. */
export function saysTheSame(entry: Entry, draft: EntryDraft): boolean {
  const { parentId: _parent, timestamp: _time, ...said } = entry as Record<string, unknown>
  return JSON.stringify(said) === JSON.stringify({ ...draft })
}
