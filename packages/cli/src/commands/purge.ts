import { listTrash, type PurgeReport, purgeTrash, type TrashItem } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { parseDays } from '../args/days.ts'
import type { Context } from '../context.ts'
import { findTrashItem } from '../house/find-trash-item.ts'
import { trashJson, trashTable } from '../house/trash-table.ts'
import { bytesText, counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [
    {
      name: 'TRASHID',
      help: 'only these; everything in the trash by default',
      optional: true,
      rest: true,
      completes: 'none',
    },
  ],
  options: {
    'older-than': { type: 'string', value: 'DAYS', help: 'only what has been there so long: 30d, 2w, 6m, 1y' },
    yes: { type: 'boolean', short: 'y', help: 'do it without asking' },
  },
  details:
    'Shows what would go and asks. Where nobody can be asked nothing goes without --yes. Every removal has its line ' +
    'in the audit log of the home. What a session in use still needs stays.',
  examples: [
    ['treeline purge --older-than 30d', 'look, then confirm'],
    ['treeline purge 4f2a91c0 --yes', 'remove one thing for good'],
  ],
  json:
    '{"dryRun","items":[{"trashId","kind","sessionId","trashedAt","reason","sizeBytes","files"}],"sizeBytes",' +
    '"failed":[{"trashId","problem"}]}',
  async run({ args, options, context }) {
    const olderThanDays = parseDays('older-than', options['older-than'] ?? '0')
    const plan = await purge(context, { ids: args, olderThanDays, dryRun: true })
    show(context, plan)
    const isMeant = plan.items.length > 0 && (options.yes || (await asks(context, plan)))
    const ids = plan.items.map(({ trashId }) => trashId)
    const report = isMeant ? await purge(context, { ids, olderThanDays, dryRun: false }) : plan
    const { items, sizeBytes } = report
    // What was found to be needed beforehand was left out then, and is told all the same.
    const failed = isMeant ? [...plan.failed, ...report.failed] : plan.failed
    context.out.json({ dryRun: !isMeant, items: items.map(trashJson), sizeBytes, failed })
    if (isMeant) {
      context.out.print(
        `${paint('good', 'Removed for good')}: ${counted(items.length, 'item')}, ${bytesText(sizeBytes)}.`,
      )
    } else if (plan.items.length > 0) context.out.print('Nothing was removed. `--yes` removes it.')
    for (const { trashId, problem } of failed) context.out.note(`${paint('warn', 'Stays')}: ${trashId}: ${problem}`)
    return isMeant && report.failed.length > 0 ? 1 : 0
  },
})

interface PurgeCall {
  readonly ids: readonly string[]
  readonly olderThanDays: number
  readonly dryRun: boolean
}

/** Exactly the items named, so that nothing goes that was not shown; all that are old enough when none is. */
async function purge(context: Context, { ids, olderThanDays, dryRun }: PurgeCall): Promise<PurgeReport> {
  const home = await context.home()
  const { signal } = context
  const progress = context.progress(dryRun ? 'Looking' : 'Removing')
  try {
    if (ids.length === 0) {
      const onProgress = ({ done, total }: { done: number; total: number }) => progress.update(done, total)
      return await purgeTrash(home, { olderThanDays, dryRun, signal, onProgress })
    }
    const trash = await listTrash(home)
    const latest = Date.now() - olderThanDays * 86_400_000
    const isOldEnough = (item: TrashItem) => olderThanDays === 0 || Date.parse(item.trashedAt ?? '') <= latest
    const chosen = ids.map((id) => findTrashItem(trash, id)).filter(isOldEnough)
    const reports: PurgeReport[] = []
    for (const [done, { trashId }] of chosen.entries()) {
      progress.update(done, chosen.length)
      reports.push(await purgeTrash(home, { trashId, dryRun, signal }))
    }
    return {
      items: reports.flatMap(({ items }) => items),
      failed: reports.flatMap(({ failed }) => failed),
      sizeBytes: reports.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    }
  } finally {
    progress.end()
  }
}

function show({ out }: Context, { items, sizeBytes }: PurgeReport): void {
  if (items.length === 0) {
    out.print('There is nothing to remove.')
    return
  }
  for (const line of trashTable(items, out.columns)) out.print(line)
  out.print(`${counted(items.length, 'item')}, ${bytesText(sizeBytes)}.`)
}

async function asks(context: Context, { items }: PurgeReport): Promise<boolean> {
  if (!context.canAsk) return false
  return context.confirm(`Remove ${counted(items.length, 'item')} for good? This cannot be taken back.`, '--yes')
}
