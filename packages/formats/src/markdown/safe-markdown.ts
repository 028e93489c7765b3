import { plainText } from '@treeline/core'
import { escapeProse } from './escape-prose.ts'
import { fenced } from './fence.ts'

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/
/** A fence behind the mark of a list or a quote. */
const NESTED_FENCE = /^\s*(?:[-*+>]|\d{1,9}[.)])[\s>*+-]*(?:`{3}|~{3})/

/**
 * Markdown of a conversation for a file of ours. It stays Markdown, but raw HTML in it is shown and never comes alive, and
 * a code block that it opens ends with it. Where renderers may disagree about what is code, the whole text is shown as a
 * code block: better plain than alive.
 */
export function safeMarkdown(text: string): string {
  const plain = plainText(text).trimEnd()
  return rewrite(plain.split('\n')) ?? fenced(plain, 'text')
}

/** A code block that has begun. */
interface Open {
  readonly indent: number
  readonly marks: string
  readonly lines: string[]
}

function rewrite(lines: readonly string[]): string | undefined {
  const result: string[] = []
  let prose: string[] = []
  let open: Open | undefined
  const endProse = () => {
    if (prose.length > 0) result.push(escapeProse(prose.join('\n')))
    // Some renderers would take the fence for the address that a definition of a link lacks.
    if (prose.at(-1)?.trimEnd().endsWith(']:')) result.push('')
    prose = []
  }
  for (const line of lines) {
    const fence = FENCE.exec(line)
    if (open === undefined) {
      if (fence === null || (fence[2]!.startsWith('`') && fence[3]!.includes('`'))) {
        if (NESTED_FENCE.test(line) || /^\s*\t\s*(?:`{3}|~{3})/.test(line)) return undefined
        prose.push(line)
        continue
      }
      endProse()
      open = { indent: fence[1]!.length, marks: fence[2]!, lines: [`${fence[1]}${fence[2]}${infoOf(fence[3]!)}`] }
    } else if (fence !== null && closes(fence, open)) {
      open.lines.push(line)
      result.push(blockOf(open))
      open = undefined
    } else if (isWithin(line, open.indent)) open.lines.push(line)
    else return undefined
  }
  if (open !== undefined && open.indent > 0) return undefined
  if (open !== undefined) result.push(blockOf({ ...open, lines: [...open.lines, open.marks] }))
  endProse()
  return result.join('\n')
}

/** In a list a line that is indented less than the block's beginning would end the block. */
function isWithin(line: string, indent: number): boolean {
  return line.trim() === '' || line.startsWith(' '.repeat(indent))
}

function closes([, indent, marks, rest]: RegExpExecArray, open: Open): boolean {
  const isSame = marks!.startsWith(open.marks) && rest!.trim() === ''
  if (open.indent === 0) return isSame && indent!.length <= 3
  return (
    isSame && (open.indent > 3 ? indent!.length === open.indent : indent!.length >= open.indent && indent!.length <= 3)
  )
}

/** Four spaces in, it is a code block in a list or none at all: what it holds is escaped, in case it is none. */
function blockOf({ indent, lines }: Open): string {
  return indent <= 3 ? lines.join('\n') : lines.map((line) => line.replaceAll('<', '&lt;')).join('\n')
}

/** What stands behind a fence becomes an attribute in some renderers. */
function infoOf(info: string): string {
  return info.replace(/[^\w .,:=/+#-]/g, '')
}
