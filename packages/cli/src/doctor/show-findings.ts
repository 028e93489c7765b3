import { plainText, preview, previewColumns } from '@treeline/core'
import type { Finding } from '@treeline/store'
import { counted, numberText } from '../output/amount.ts'
import type { Output } from '../output/output.ts'
import { paint } from '../output/style.ts'
import { messageLines } from '../output/wrap-message.ts'
import type { CheckedFile } from './check-file.ts'
import { type DamagedRange, isDamage, type Warning } from './file-report.ts'

/** Of one kind this many are shown; programs get all. */
const FEW = 5
/** As wide as what stands before an item. */
const ITEM = '      '

export function showFindings(out: Output, findings: readonly Finding[]): void {
  const byCode = new Map<string, Finding[]>()
  for (const finding of findings.toSorted((a, b) => Number(isDamage(b)) - Number(isDamage(a)))) {
    const same = byCode.get(finding.code) ?? []
    byCode.set(finding.code, same)
    same.push(finding)
  }
  for (const [code, same] of byCode) {
    const [first] = same
    out.print(`  ${heading(code, isDamage(first!), same.length)}`)
    for (const line of messageLines(out, first!.message, '    ')) out.print(line)
    for (const finding of same.slice(0, FEW)) {
      const { detail, preview: bytes, path, id } = finding
      const parts = [placeOf(finding), path, id, detail].filter((part) => part !== undefined && part !== '')
      if (parts.length > 0) printItem(out, parts.join('  '))
      const room = out.isTty ? Math.min(70, out.columns - 6) : 70
      if (bytes !== undefined) out.print(`      ${paint('faint', previewColumns(plainText(bytes.text), room))}`)
    }
    if (same.length > FEW)
      out.print(`    ${paint('faint', `and ${numberText(same.length - FEW)} more; all with --json`)}`)
  }
}

/** What the reader of a translated format noted. */
export function showNotes(out: Output, { report }: CheckedFile): void {
  const show = (heading: string, notes: readonly (DamagedRange | Warning)[]): void => {
    if (notes.length === 0) return
    out.print(`  ${heading}`)
    for (const note of notes.slice(0, FEW * 2)) {
      const text = 'message' in note ? note.message : note.reason
      printItem(out, [placeOf(note), text].filter(Boolean).join(': '))
    }
    if (notes.length > FEW * 2) {
      out.print(`    ${paint('faint', `and ${numberText(notes.length - FEW * 2)} more; all with --json`)}`)
    }
  }
  show(heading('damage', true, report.damage.length), report.damage)
  show(heading('notes', false, report.warnings.length), report.warnings)
}

function printItem(out: Output, text: string): void {
  const [first, ...rest] = messageLines(out, preview(text, 200), ITEM)
  out.print(`    ${paint('faint', '-')} ${first!.trimStart()}`)
  for (const line of rest) out.print(line)
}

function heading(code: string, isBad: boolean, count: number): string {
  const times = count > 1 ? `  ${counted(count, 'time')}` : ''
  return `${paint(isBad ? 'bad' : 'warn', code.replaceAll('_', ' '))}${paint('faint', times)}`
}

interface Place {
  readonly line?: number | null
  readonly offset?: number | null
  readonly length?: number | null
}

/** `line 7, bytes 1,024–1,088`: the last byte counts as well. */
function placeOf({ line, offset, length }: Place): string {
  const parts = line === undefined || line === null ? [] : [`line ${numberText(line)}`]
  if (typeof offset === 'number' && typeof length === 'number' && length > 0) {
    parts.push(`bytes ${numberText(offset)}–${numberText(offset + length - 1)}`)
  } else if (typeof offset === 'number') parts.push(`at byte ${numberText(offset)}`)
  return parts.join(', ')
}
