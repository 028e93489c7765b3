import { repairLog } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { refuseTranslated } from '../house/refuse-translated.ts'
import { bytesText, counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { findTarget } from '../target.ts'

const MAX_LISTED = 20

export const command = defineCommand({
  positionals: [{ name: 'FILE', help: 'the damaged session: a path, an id, or a part of one', completes: 'session' }],
  options: { 'dry-run': { type: 'boolean', help: 'say what would be done and write nothing' } },
  details:
    'Writes a sound log with every entry that can be read and keeps the damaged one beside it as `….damaged`. ' +
    "Another tool's file is never touched: its sound copy is a session of its own in the home. For a copy elsewhere: " +
    '`treeline export --format jsonl -o FILE`.',
  examples: [
    ['treeline repair broken.jsonl --dry-run', 'what can be saved'],
    ['treeline repair broken.jsonl', 'save it'],
  ],
  json:
    '{"dryRun","sessionId","path","originalPath","entryCount","lostIds","repeatedCount","touchedCount",' +
    '"removedBytes","header","isCwdUnknown"}',
  async run({ args: [file], options, context }) {
    const { out, signal } = context
    const path = await findTarget(context, file)
    refuseTranslated(path)
    const dryRun = options['dry-run'] === true
    const report = await repairLog(await context.home(), path, { dryRun, signal })
    out.json({ dryRun, ...report })
    const { entryCount, lostIds, repeatedCount, touchedCount, removedBytes, header, isCwdUnknown } = report
    out.print(`${paint('good', dryRun ? 'Can be saved' : 'Saved')}: ${counted(entryCount, 'entry', 'entries')}`)
    if (lostIds.length > 0) {
      const shown = lostIds.slice(0, MAX_LISTED).join(', ')
      const more = lostIds.length > MAX_LISTED ? ' …' : ''
      out.print(
        `${paint('bad', 'Lost')}: the text of ${counted(lostIds.length, 'entry', 'entries')}, whose place is kept: ${shown}${more}`,
      )
    }
    if (removedBytes > 0) out.print(`${bytesText(removedBytes)} were no entries and are left out.`)
    if (repeatedCount > 0) out.print(`${counted(repeatedCount, 'line')} that repeat an entry are left out.`)
    if (touchedCount > 0)
      out.print(`${counted(touchedCount, 'line')} get a new checksum or lose what was glued to them.`)
    if (header === 'found') out.print('The header was found further down.')
    if (header === 'made') out.print('The header was gone; a new one stands in for it.')
    if (isCwdUnknown) out.print(paint('warn', 'Nobody knows which project it was of.'))
    if (dryRun) {
      out.print(`Nothing was written. It would be: ${report.path}`)
      return 0
    }
    out.print(`The sound session: ${report.path}`)
    out.print(`The damaged one:   ${report.originalPath}`)
    out.print(paint('faint', `Look at it: treeline tree ${shortId(report.sessionId)}`))
    return 0
  },
})
