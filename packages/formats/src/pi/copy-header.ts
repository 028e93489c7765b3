import type { SessionHeader } from '@treeline/core'
import type { Session } from '@treeline/store'
import { importedSessionId } from '../import/import-id.ts'
import { REDACTION_NOTICE, redact } from '../redact/redact.ts'

/** The header of a copy: as it is, with the name the session has now. What a damaged one lacks is made up for. */
export function copyHeader({ header, name, tree }: Session, isRedacted: boolean): SessionHeader {
  const { title: _, ...rest } = header
  const timestamp = Number.isNaN(Date.parse(header.timestamp)) ? firstTime(tree) : header.timestamp
  const firstEntryId = tree.rowCount === 0 ? '' : tree.ids.textOf(tree.refAtRow(0))
  const lost = {
    kind: 'log',
    identity: ['', firstEntryId, timestamp],
    number: 0,
    createdAtMs: Date.parse(timestamp),
  }
  return {
    ...rest,
    version: 3,
    id: header.id || importedSessionId(lost),
    timestamp,
    cwd: header.cwd ?? '',
    ...(name !== undefined && { title: isRedacted ? redact(name) : name }),
    // A reader passes over fields it does not know, so the file can say what was done to it.
    ...(isRedacted && { redacted: REDACTION_NOTICE }),
  }
}

function firstTime({ heads, rowCount }: Session['tree']): string {
  const ms = rowCount === 0 ? Number.NaN : heads.timeMs[0]!
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString()
}
