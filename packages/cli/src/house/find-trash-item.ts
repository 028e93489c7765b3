import { preview, TreelineError } from '@treeline/core'
import type { TrashItem } from '@treeline/store'

const MIN_CHARS = 4

/** The item that is meant by its id, the id of its session, or a part of either. Never guesses. */
export function findTrashItem(items: readonly TrashItem[], text: string): TrashItem {
  const whole = items.filter(({ trashId, sessionId }) => trashId === text || sessionId === text)
  const fits = (id: string | undefined) => id !== undefined && (id.startsWith(text) || id.endsWith(text))
  const parts = text.length < MIN_CHARS ? [] : items.filter((item) => fits(item.trashId) || fits(item.sessionId))
  const found = whole.length > 0 ? whole : parts
  const [item, ...others] = found
  const shown = JSON.stringify(preview(text, 60))
  if (item === undefined) {
    throw new TreelineError(
      'session_not_found',
      `Nothing in the trash is called ${shown}. \`treeline restore\` lists it.`,
    )
  }
  if (others.length === 0) return item
  const listed = found.map(({ trashId, trashedAt }) => `${trashId} (${trashedAt ?? 'time unknown'})`).join(', ')
  throw new TreelineError(
    'ambiguous_id',
    `${found.length} things in the trash fit ${shown}: ${listed}. Give more of the id.`,
  )
}
