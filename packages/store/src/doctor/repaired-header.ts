import { basename } from 'node:path'
import { isSafeId, parseRecord, type SessionHeader, TreelineError, validateHeader } from '@treeline/core'
import type { Home } from '../home.ts'
import { idInName } from '../log-files.ts'
import { newSessionId } from '../session/session-id.ts'
import type { WholeLog } from './whole-log.ts'

/** Where the header of a repaired log comes from: it was there, a later line is one, or it was made. */
export type HeaderOrigin = 'kept' | 'found' | 'made'

/** A made header says `cwd: ''`: which project it was nobody knows, as folder names do not tell. */
export function repairHeader(
  { paths }: Pick<Home, 'paths'>,
  path: string,
  log: WholeLog,
): { readonly header: SessionHeader; readonly origin: HeaderOrigin } {
  const { header } = log.reader
  if (header !== undefined) return { header, origin: 'kept' }
  const found = findLaterHeader(log)
  if (found !== undefined) return { header: found, origin: 'found' }
  const named = idInName(path)
  const id = paths.isSessionFile(path) && isSafeId(named) ? named : newSessionId()
  return { header: { type: 'session', version: 3, id, timestamp: timestampOf(path, log), cwd: '' }, origin: 'made' }
}

function findLaterHeader({ file, reader }: WholeLog): SessionHeader | undefined {
  for (const { code, offset, length } of reader.notes) {
    if (code !== 'extra_header') continue
    const bytes = new Uint8Array(length)
    file.readSync(bytes, offset)
    try {
      const validated = validateHeader(parseRecord(bytes).entry)
      // One of another version would give every entry another id.
      if (validated.ok && validated.header.version === 3) return validated.header
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
    }
  }
  return undefined
}

/** In the file's name colons and dots are dashes. */
const NAMED_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3})Z_/

function timestampOf(path: string, { reader: { heads } }: WholeLog): string {
  const [, hour, minute, second, ms] = NAMED_TIME.exec(basename(path)) ?? []
  const named = Date.parse(`${hour}:${minute}:${second}.${ms}Z`)
  const first = heads.count === 0 ? Number.NaN : heads.timeMs[0]!
  const time = [named, first, Date.now()].find((value) => !Number.isNaN(value))!
  return new Date(time).toISOString()
}
