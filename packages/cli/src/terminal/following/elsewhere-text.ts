import type { Entry } from '@treeline/core'
import { t } from '../../output/language.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import { type Said, toSaid } from '../transcript/transcript.ts'

export interface ElsewhereOptions {
  readonly columns: number
  readonly isUnicode: boolean
}

/** Of an answer that was given elsewhere so many lines are shown; going there shows all. */
const MAX_LINES = 3

/** What somebody else added to this session, in a few lines that hang beside our own. Nothing for what has no words. */
export function elsewhereText(entry: Entry, options: ElsewhereOptions): string {
  const lines = toSaid(entry).flatMap((said) => linesOf(said, options))
  return lines.map((line) => fitLine(line, options.columns, options.isUnicode)).join('\n')
}

function linesOf({ kind, title, text }: Said, { isUnicode }: ElsewhereOptions): readonly string[] {
  const { branch, through, trunk } = glyphsFor(isUnicode)
  const beside = (line: string): string => `${through}${line}`
  switch (kind) {
    case 'user':
      return [`${branch} ${t('another terminal')} ${isUnicode ? '❯' : '>'} ${text}`]
    case 'assistant':
      return beginningOf(text).map(beside)
    case 'tool':
      return [beside(`${trunk} ${title ?? ''}`)]
    case 'thinking':
      return []
    default:
      return [beside(text)]
  }
}

function beginningOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), '…']
}
