import { type EditRecord, preview, type Tree, TreelineError } from '@treeline/core'

const MIN_CHARS = 2

/** The edit that is meant by its id or a part of one. Never guesses. */
export function findEdit({ edits }: Tree, text: string): EditRecord {
  const exact = edits.recordById.get(text)
  if (exact !== undefined) return exact
  const found = edits.records.filter(({ id }) => {
    return text.length >= MIN_CHARS && (id.startsWith(text) || id.endsWith(text))
  })
  const [record, ...others] = found
  const shown = JSON.stringify(preview(text, 60))
  if (record === undefined) {
    const message = `There is no edit ${shown} in this session. \`treeline undo FILE --list\` shows them.`
    throw new TreelineError('node_not_found', message)
  }
  if (others.length === 0) return record
  throw new TreelineError('ambiguous_id', `${found.length} edits fit ${shown}. Give more of the id.`)
}

/** Off while an edit that takes it back is on. */
export function isUndone(record: EditRecord): boolean {
  let isOff = false
  for (let by = record.undoneBy; by !== undefined; by = by.undoneBy) isOff = !isOff
  return isOff
}
