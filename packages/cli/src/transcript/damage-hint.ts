import type { OpenedFile } from '@treeline/formats'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'

/** What is the matter with the file that a session was read from, in one line; nothing where all is in order. */
export function* damageHint(opened: OpenedFile, given: string | undefined): Generator<string> {
  const { skipped, notes, problems, unreadable, unlisted, tornAt } = opened.session.report()
  const damaged =
    skipped.filter(({ severity }) => severity === 'damage').length +
    unreadable.length +
    (tornAt === undefined ? 0 : 1) +
    opened.notes.filter(({ kind }) => kind === 'damage').length
  const noted =
    notes.length +
    problems.length +
    unlisted +
    opened.notes.filter(({ kind }) => kind === 'changed' || kind === 'left_out').length
  const counts = [
    ...(damaged > 0 ? [counted(damaged, 'damaged line')] : []),
    ...(noted > 0 ? [counted(noted, 'note')] : []),
  ]
  if (counts.length === 0) return
  yield ''
  yield paint('faint', `${counts.join(', ')}: treeline doctor ${typedName(opened, given)}`)
}
