import { Kind, Role, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { formats } from './registry.ts'
import type { Sample } from './sample.ts'

/**
 * A file that nobody recognises by its beginning is still a log where a message of one can be read (I3), or where there is
 * nothing yet. Anything else is refused: another tool's records, read as entries, would be an empty or a mangled session.
 */
export function refuseUnknown({ tree, header }: Session, { text, isWhole }: Sample, path: string): void {
  if (header.id !== '' || (isWhole && text.trim() === '')) return
  const { kind, role, rowOf } = tree.columns
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    if (rowOf[ref] === row && kind[ref] === Kind.message && role[ref] !== Role.none) return
  }
  const names = formats.map(({ title }) => title).join(', ')
  const message =
    `${path} does not look like a session of any tool that Treeline reads (${names}). ` +
    'If it is a session that is damaged, `treeline doctor` tells what can be read of it.'
  throw new TreelineError('invalid_header', message)
}
