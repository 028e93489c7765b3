import { resolve } from 'node:path'
import { type RestoreAction, restoreBackup } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { refuseFolderOfBackups } from '../house/choose-backup.ts'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { withProgress } from '../output/with-progress.ts'

const MAX_LISTED = 50
const WORDS: Readonly<Record<RestoreAction, string>> = {
  restore: 'to bring back',
  copy: 'to bring back as sessions of their own',
  merge: 'of prompts, to be merged',
  present: 'there already',
  newer: 'newer in the home',
  conflict: 'different in the home, and left alone',
  outdated: 'left out, their session went on',
  damaged: 'damaged in the backup',
}

export const command = defineCommand({
  positionals: [{ name: 'DIR', help: 'the dated folder of one backup', completes: 'file' }],
  options: {
    'dry-run': { type: 'boolean', help: 'say what would happen and change nothing' },
    'on-conflict': {
      type: 'string',
      value: 'HOW',
      choices: ['skip', 'copy'],
      help: 'a session that went another way since: leave it in the backup, or bring it back beside the other',
    },
  },
  details:
    'Brings back what the home lacks and overwrites nothing: what went on since the backup stays as it is. ' +
    'Interrupted, it has brought back whole files only; a second run does the rest.',
  examples: [
    ['treeline restore-backup ~/backups/treeline-backup-20260102-030405 --dry-run', 'what would come back'],
    ['treeline restore-backup ~/backups/treeline-backup-20260102-030405', 'bring it back'],
  ],
  json:
    '{"isDryRun","steps":[{"path","action","target","size","reason"}],"counts":{action:count},"promptsAdded",' +
    '"findings":[{"type","path","problem"}]}',
  async run({ args: [dir], options, context }) {
    const { out, signal } = context
    const folder = resolve(context.cwd, dir!)
    refuseFolderOfBackups(folder)
    const home = await context.home()
    const report = await withProgress(context, 'Restoring', (onProgress) =>
      restoreBackup(folder, home, {
        dryRun: options['dry-run'],
        onConflict: options['on-conflict'] === 'copy' ? 'copy' : 'skip',
        signal,
        onProgress,
      }),
    )
    out.json(report)
    const told = report.steps.filter(({ action }) => action !== 'present' && action !== 'newer')
    const columns = [
      { title: report.isDryRun ? 'would' : 'done', style: 'title' },
      { title: 'file', flexible: true },
      { title: 'why' },
    ] as const
    const rows = told.slice(0, MAX_LISTED).map(({ action, target, reason }) => [action, target, reason])
    if (rows.length > 0) for (const line of table(columns, rows, out.columns)) out.print(line)
    if (told.length > MAX_LISTED) out.print(paint('faint', `and ${told.length - MAX_LISTED} more`))
    const counts = Object.entries(report.counts).filter(([, count]) => count > 0)
    out.print(counts.map(([action, count]) => `${counted(count, 'file')} ${WORDS[action as RestoreAction]}`).join('; '))
    if (report.promptsAdded > 0) out.print(`${counted(report.promptsAdded, 'prompt')} for the history.`)
    if (report.isDryRun) out.print('Nothing was changed.')
    const { damaged, conflict } = report.counts
    if (conflict > 0) out.note('`--on-conflict copy` brings back as copies what differs.')
    return damaged > 0 ? 6 : 0
  },
})
