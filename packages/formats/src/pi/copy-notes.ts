import type { Session } from '@treeline/store'
import { damageNotes } from '../damage-notes.ts'
import type { FormatNote } from '../note.ts'
import type { CopyPlan } from './copy-plan.ts'

const REASONS: Readonly<Record<keyof CopyPlan['leftOut'], (count: number) => string>> = {
  muted: (count) => `${count} muted ${nodes(count)} not in the copy: other tools cannot mute.`,
  generating: (count) => `${count} unfinished ${nodes(count)} not in the copy.`,
  result: (count) => `${count} tool ${count === 1 ? 'result is' : 'results are'} not in the copy: the call is muted.`,
  detached: (count) => `${count} pruned or deleted ${nodes(count)} not in the copy.`,
  duplicate: (count) => `${count} ${count === 1 ? 'line is' : 'lines are'} not in the copy: the id is another entry's.`,
}

function nodes(count: number): string {
  return count === 1 ? 'node is' : 'nodes are'
}

/** What the copy does without, and what was damaged to begin with. */
export function addCopyNotes(session: Session, { leftOut, ringIds }: CopyPlan, notes: FormatNote[]): void {
  for (const note of damageNotes(session)) notes.push(note)
  for (const [reason, describe] of Object.entries(REASONS)) {
    const count = leftOut[reason as keyof CopyPlan['leftOut']]
    if (count > 0) notes.push({ kind: 'left_out', message: describe(count) })
  }
  for (const id of ringIds) {
    const message = `${id} hangs under itself by way of its parents. In the copy it is a root: other tools would not come out of that.`
    notes.push({ kind: 'changed', message, id })
  }
  const { meta, config, session: values } = session.tree.edits
  if (meta.size + config.size + values.size === 0) return
  const message = 'Ratings, pins, tags and settings are not in the copy: other tools have no place for them.'
  notes.push({ kind: 'left_out', message })
}
