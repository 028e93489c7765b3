import { writeFileSync } from 'node:fs'
import { encodeHeader, encodeLine } from '../../packages/core/src/codec/encode.ts'
import type { Entry, SessionHeader } from '../../packages/core/src/entry/entry.ts'
import { makeMessages } from './messages.ts'
import { sessionPath } from './write-session.ts'

const ENTRIES = 4
const messages = makeMessages(1_024)

/** A session of a few messages, one of very many: made at once, not synced. */
export function writeShortSession(home: string, cwd: string, number: number, startMs: number): void {
  const id = `0199c0de-0000-7000-9000-${number.toString(16).padStart(12, '0')}`
  const timestamp = new Date(startMs).toISOString()
  const header: SessionHeader = { type: 'session', version: 3, id, timestamp, cwd }
  const lines = Array.from({ length: ENTRIES }, (_, i) => {
    const entry = { type: 'message', id: entryId(i), parentId: i === 0 ? null : entryId(i - 1) } as const
    const message = messages[(number * ENTRIES + i) % messages.length]!
    return encodeLine({ ...entry, timestamp: new Date(startMs + i * 1_000).toISOString(), message } as Entry)
  })
  writeFileSync(sessionPath(home, header), Buffer.concat([encodeHeader(header), ...lines]), { mode: 0o600 })
}

function entryId(i: number): string {
  return (i + 1).toString(16).padStart(8, '0')
}
