import { resolve } from 'node:path'
import { type BackupReport, createBackup, type VerifyReport, verifyBackup } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { isBackup } from '../house/choose-backup.ts'
import { bytesText, counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'

const MAX_LISTED = 50

export const command = defineCommand({
  positionals: [
    { name: 'DIR', help: 'where backups are kept; each gets a dated folder of its own there', completes: 'file' },
  ],
  options: {
    verify: { type: 'boolean', help: 'read the backup again and compare; where DIR is a backup itself, only that' },
  },
  details:
    'Everything in the home is copied while others may go on writing: each session as it was at one moment. What can ' +
    'be built again (the index) is left out. `treeline restore-backup` brings it back.',
  examples: [
    ['treeline backup ~/backups --verify', 'make a backup and check it'],
    ['treeline backup --verify ~/backups/treeline-backup-20260102-030405', 'check one that was made before'],
  ],
  json:
    '{"backup":{"folder","createdAt","isComplete","fileCount","sizeBytes","problems","unfinished"}|null,' +
    '"verified":{"isSound","isComplete","createdAt","fileCount","logCount","sizeBytes","findings"}|null}',
  async run({ args: [dir], options, context }) {
    const folder = resolve(context.cwd, dir!)
    const isThere = options.verify === true && isBackup(folder)
    const backup = isThere ? undefined : await make(context, folder)
    const verified = options.verify ? await verify(context, backup?.folder ?? folder) : undefined
    context.out.json({ backup: backup ?? null, verified: verified ?? null })
    return backup?.isComplete === false || verified?.isSound === false ? 6 : 0
  },
})

async function make(context: Context, folder: string): Promise<BackupReport> {
  const { out, signal } = context
  const bar = context.progress('Files copied:')
  const home = await context.home()
  const report = await createBackup(home, folder, {
    signal,
    onProgress: ({ filesDone }) => bar.update(filesDone, undefined),
  }).finally(() => bar.end())
  const what = `${counted(report.fileCount, 'file')}, ${bytesText(report.sizeBytes)}`
  out.print(
    `${paint(report.isComplete ? 'good' : 'bad', report.isComplete ? 'Backed up' : 'Backed up in part')}: ${what}`,
  )
  out.print(`  ${report.folder}`)
  for (const { path, problem } of report.problems.slice(0, MAX_LISTED)) out.note(`${paint('warn', path)}: ${problem}`)
  if (report.unfinished.length > 0) {
    out.note(`${counted(report.unfinished.length, 'folder')} of backups that were interrupted can be deleted:`)
    for (const path of report.unfinished.slice(0, MAX_LISTED)) out.note(`  ${path}`)
  }
  out.print(paint('faint', `Bring it back: treeline restore-backup ${shellWord(report.folder)}`))
  return report
}

async function verify(context: Context, folder: string): Promise<VerifyReport> {
  const { out, signal } = context
  const bar = context.progress('Checking')
  const report = await verifyBackup(folder, {
    signal,
    onProgress: ({ filesDone, filesTotal }) => bar.update(filesDone, filesTotal),
  }).finally(() => bar.end())
  const { isSound, isComplete, createdAt, fileCount, logCount, findings } = report
  const what = `${counted(fileCount, 'file')}, ${counted(logCount, 'session')}, made ${createdAt}`
  out.print(isSound ? `${paint('good', 'Sound')}: ${what}` : `${paint('bad', 'Not sound')}: ${what}`)
  if (!isComplete) out.print(paint('warn', 'It is not complete: something could not be read when it was made.'))
  for (const { type, path, problem } of findings.slice(0, MAX_LISTED)) {
    out.print(`  ${paint('warn', type.replace('_', ' '))}  ${path}: ${problem}`)
  }
  if (findings.length > MAX_LISTED) out.print(paint('faint', `  and ${findings.length - MAX_LISTED} more`))
  return report
}
