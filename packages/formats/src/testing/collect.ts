import type { Entry, SessionHeader } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'

export interface Written {
  readonly text: string
  readonly header: SessionHeader
  readonly entries: readonly Entry[]
  readonly notes: readonly FormatNote[]
}

/** What a writer of JSON lines writes. */
export async function writeLines(writer: Writer, session: Session, options: WriteOptions = {}): Promise<Written> {
  const pieces: string[] = []
  const notes = await writer.write(session, (piece) => void pieces.push(piece), options)
  const text = pieces.join('')
  const [header, ...entries] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return { text, header, entries, notes }
}

export async function readAll(session: Session): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of session.entries()) entries.push(entry)
  return entries
}
