import type { Session } from '@treeline/store'
import type { FormatNote } from './note.ts'

/** Bytes of a log that hold no entry, for what is made of it: they are not in there (I2). */
export function damageNotes(session: Session): readonly FormatNote[] {
  const { skipped, tornAt, unlisted } = session.report()
  const notes = skipped
    .filter(({ severity }) => severity === 'damage')
    .map(({ reason, line, offset, length }): FormatNote => {
      const message = `Line ${line} holds ${length} bytes that are no entry (${reason}). They are left out.`
      return { kind: 'damage', message, line, offset, length }
    })
  if (tornAt !== undefined && !skipped.some(({ offset }) => offset === tornAt)) {
    const message = `The last line, at byte ${tornAt}, was cut short or is still being written. It is left out.`
    notes.push({ kind: 'damage', message, offset: tornAt })
  }
  if (unlisted > 0) notes.push({ kind: 'damage', message: `${unlisted} more places like these are not listed.` })
  return notes
}
