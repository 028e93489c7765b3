import type { ToolPreview } from '@treeline/agent'
import { t } from '../output/language.ts'
import { cleanLines } from './markdown/clean-lines.ts'
import { highlight } from './markdown/highlight.ts'
import type { StyledLine } from './markdown/styled-line.ts'
import { fillRuns, wrapRuns } from './markdown/wrap-runs.ts'

interface QuestionRows {
  readonly body: readonly StyledLine[]
  readonly answers: readonly StyledLine[]
}

const INDENT = 2
const LANGUAGES = { shell: 'sh', diff: 'diff', text: '' } as const

/** The rows of a question: what would run, to the last character, and what can be said to it. */
export function layoutQuestion(
  { title, body, language = 'text', isOutsideProject = false }: ToolPreview,
  columns: number,
  isUnicode: boolean,
): QuestionRows {
  const width = Math.max(1, columns - 1)
  const asked = t('May this run? {title}', { title: cleanLines(title) })
  const rows: StyledLine[] = [...fillRuns([{ text: asked, bold: true, color: 'yellow' }], width)]
  if (isOutsideProject) rows.push(...wrapRuns([{ text: t('It is outside of this project.'), color: 'red' }], width))
  if (body !== undefined) {
    const lines = highlight(cleanLines(body).split('\n'), LANGUAGES[language])
    // A mark tells rows that go on with the one above from lines of their own: nothing can be passed off as another line.
    const mark = { text: isUnicode ? '↳ ' : '> ', dim: true }
    const margin = { text: ' '.repeat(INDENT) }
    for (const line of lines) {
      fillRuns(line, Math.max(1, width - INDENT)).forEach((row, index) => {
        rows.push([index === 0 ? margin : mark, ...row])
      })
    }
  }
  return { body: rows, answers: layoutAnswers(width) }
}

function layoutAnswers(width: number): readonly StyledLine[] {
  const answers = [
    ['y', t('yes')],
    ['t', t('this tool from now on')],
    ['e', t('all edits from now on')],
    ['n', t('no')],
    ['Esc', t('cancel')],
  ] as const
  const runs = answers.flatMap(([key, text], index) => [
    { text: key, bold: true },
    { text: index === answers.length - 1 ? ` ${text}` : ` ${text}  ` },
  ])
  return wrapRuns(runs, width)
}
