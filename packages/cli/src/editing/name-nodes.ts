import { type Entry, previewColumns, textOf } from '@treeline/core'
import type { Session } from '@treeline/store'
import { paint } from '../output/style.ts'
import { widthOf } from '../output/table.ts'

const MAX_NAMED = 6

/** Lines that tell nodes by their id, who speaks, and the first words; of many the first few. */
export async function* nameNodes(session: Session, ids: readonly string[], columns: number): AsyncGenerator<string> {
  const named = ids.slice(0, MAX_NAMED)
  const entries = await session.readEntries(named)
  const who = entries.map((entry) => (entry === undefined ? 'unreadable' : speakerOf(entry)))
  const whoWidth = Math.max(...who.map(widthOf))
  for (const [i, id] of named.entries()) {
    const entry = entries[i]
    const width = Math.max(12, columns - widthOf(id) - whoWidth - 6)
    const text = entry === undefined ? '' : previewColumns(textOf(entry), width)
    const space = ' '.repeat(whoWidth - widthOf(who[i]!))
    yield `  ${paint('id', id)}  ${paint('role', who[i]!)}${space}  ${text}`.trimEnd()
  }
  if (ids.length > named.length) yield paint('faint', `  and ${ids.length - named.length} more`)
}

function speakerOf(entry: Entry): string {
  const { role } = (entry.message ?? {}) as { readonly role?: unknown }
  return typeof role === 'string' ? previewColumns(role, 20) : previewColumns(entry.type, 20)
}
