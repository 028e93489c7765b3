import type { Context } from '../context.ts'
import { minuteText } from '../listing/age.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { openTarget } from '../target.ts'
import { describeEdit } from './describe-edit.ts'
import { isUndone } from './find-edit.ts'

const MAX_LISTED = 30

/** The latest edits of a session, newest first: what can be undone, and by which id. */
export async function listEdits(context: Context, file: string | undefined): Promise<number> {
  await using opened = await openTarget(context, file)
  const { session } = opened
  const { records } = session.tree.edits
  const latest = records.slice(-MAX_LISTED).reverse()
  const entries = await session.readEntries(latest.map(({ id }) => id))
  const edits = latest.map((record, i) => ({
    editId: record.id,
    timestamp: entries[i]?.timestamp ?? null,
    what: describeEdit(entries[i]),
    undone: isUndone(record),
    undoes: record.undoes ?? null,
    by: record.by ?? null,
  }))
  context.out.json({ sessionId: session.id, path: opened.path, count: records.length, edits })
  if (edits.length === 0) {
    context.out.print('No edits yet. `treeline mute`, `prune`, `graft`, `label` … make some.')
    return 0
  }
  const rows = edits.map(({ editId, timestamp, what, undone, undoes, by }) => {
    const state = undone ? 'undone' : undoes === null ? '' : `undoes ${undoes}`
    return [editId, minuteText(timestamp ?? undefined), [what, by && `(${by})`].filter(Boolean).join(' '), state]
  })
  const columns = [
    { title: 'edit', style: 'id' },
    { title: 'when', spare: 1 },
    { title: 'what', flexible: true },
    { title: 'state' },
  ] as const
  for (const line of table(columns, rows, context.out.columns)) context.out.print(line)
  const rest = records.length - edits.length
  if (rest > 0) context.out.print(paint('faint', `and ${rest} earlier`))
  return 0
}
