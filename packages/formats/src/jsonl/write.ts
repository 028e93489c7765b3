import { crc32 } from 'node:zlib'
import { type Entry, encodeHeader, encodeLine, upgradeHeader } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { REDACTION_NOTICE, redact, redactEntry } from '../redact/redact.ts'
import { chooseNodes } from '../transcript/chosen.ts'
import { type LogPart, pathEntries } from './path-entries.ts'
import { wholeLog } from './whole-log.ts'

/**
 * The session's own log as one file that needs no other: every entry as it is, edits included, images and long texts in
 * place of references, each line sealed anew. Read again it gives the same tree. With `branches: 'trunk'`, the path alone.
 */
export const jsonlWriter: Writer = {
  name: 'jsonl',
  title: "Treeline's own log, complete in one file",
  extension: '.jsonl',
  write,
}

const BATCH_CHARS = 256 * 1024
const decoder = new TextDecoder()

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes: FormatNote[] = []
  const chosen = chooseNodes(session, options, notes)
  const isRedacted = options.redact === true
  if (isRedacted) notes.push({ kind: 'info', message: REDACTION_NOTICE })
  let text = decoder.decode(headerLine(session, isRedacted))
  for await (const part of chosen.withBranches
    ? wholeLog(session, chosen.leaf, notes)
    : pathEntries(session, chosen, notes)) {
    text += lineOf(part, isRedacted, notes)
    if (text.length < BATCH_CHARS) continue
    await sink(text)
    text = ''
  }
  await sink(text)
  return notes
}

function headerLine({ header }: Session, isRedacted: boolean): Uint8Array {
  const upgraded = upgradeHeader(header)
  if (!isRedacted) return encodeHeader(upgraded)
  const title = typeof upgraded.title === 'string' ? { title: redact(upgraded.title) } : {}
  // A reader passes over fields it does not know, so the file can say what was done to it.
  const said = { redacted: REDACTION_NOTICE }
  return encodeHeader({ ...upgraded, ...title, ...said })
}

function lineOf({ entry, stored }: LogPart, isRedacted: boolean, notes: FormatNote[]): string {
  const shown = isRedacted ? redactEntry(entry) : entry
  try {
    return decode(shown)
  } catch {
    // A line that cannot be made, for one too long for memory: the reference is better than nothing.
    const message = `The images and long texts of ${entry.id} do not fit into a line. References stay in their places.`
    notes.push({ kind: 'left_out', message, id: entry.id })
    return decode(isRedacted ? redactEntry(stored) : stored)
  }
}

function decode(entry: Entry): string {
  return decoder.decode(encodeLine(entry, crc32))
}
