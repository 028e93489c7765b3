import type { Context } from '../context.ts'
import { bytesText, counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { wholeEnd } from '../output/whole-end.ts'
import { messageLines } from '../output/wrap-message.ts'
import type { CheckedFile } from './check-file.ts'
import { showFindings, showNotes } from './show-findings.ts'

/** The verdict first, then what was found, then what to do. */
export function showFile({ out }: Context, checked: CheckedFile): void {
  const { path, report, diagnosis, format } = checked
  for (const line of wholeEnd(out, verdictOf(checked), path)) out.print(line)
  const facts = [
    format === undefined ? undefined : `of ${format}`,
    `${counted(report.entries, 'entry', 'entries')} can be read`,
    diagnosis === undefined ? undefined : bytesText(diagnosis.sizeBytes),
    checksums(checked),
  ]
  for (const line of messageLines(out, facts.filter((fact) => fact !== undefined).join(', '), '  ')) out.print(line)
  if (diagnosis === undefined) showNotes(out, checked)
  else showFindings(out, diagnosis.findings)
  if (diagnosis !== undefined && diagnosis.unlisted > 0) {
    out.print(`  ${counted(diagnosis.unlisted, 'finding is', 'findings are')} too many to list.`)
  }
  if (report.ok) return
  if (format === undefined) {
    const message =
      'Nothing in it looks like a session of a tool that Treeline reads. If it was one, take it from a backup.'
    for (const line of messageLines(out, message)) out.print(line)
    return
  }
  // Its finding says what to do: there is nothing to make a copy of.
  if (diagnosis?.verdict === 'unreadable') return
  const todo = diagnosis === undefined ? 'import' : 'repair'
  const what = diagnosis === undefined ? 'take in what can be read' : 'write a sound copy and keep the original'
  for (const line of messageLines(out, `What to do: ${what} with`)) out.print(line)
  out.print(`  ${paint('id', `treeline ${todo} ${shellWord(path)}`)}`)
}

function verdictOf({ report, diagnosis }: CheckedFile): string {
  if (!report.ok) return paint('bad', diagnosis?.verdict === 'unreadable' ? 'Unreadable:' : 'Damaged:')
  return report.warnings.length > 0 ? paint('good', 'Sound, with notes:') : paint('good', 'Sound:')
}

function checksums({ report, diagnosis }: CheckedFile): string | undefined {
  if (diagnosis === undefined || report.entries === 0) return undefined
  const { uncheckedCount } = diagnosis
  if (uncheckedCount === report.entries) return 'written without checksums'
  return uncheckedCount === 0 ? 'every line has its checksum' : `${uncheckedCount} of them without a checksum`
}
