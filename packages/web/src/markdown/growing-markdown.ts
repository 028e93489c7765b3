import { type Block, parseMarkdown } from './parse-markdown.ts'

/** A text that is still being written, as far as it is known. */
export interface GrowingMarkdown {
  readonly text: string
  /** Blocks that nothing said later can change. */
  readonly done: readonly Block[]
  /** Where the first block begins that may still change. */
  readonly tailStart: number
  readonly tail: readonly Block[]
}

export const NO_MARKDOWN: GrowingMarkdown = { text: '', done: [], tailStart: 0, tail: [] }

/** Reads what was added. Costs what the last block costs, however long the text is. */
export function growMarkdown(before: GrowingMarkdown, text: string): GrowingMarkdown {
  if (text === before.text) return before
  const { done, tailStart } = text.startsWith(before.text) ? before : NO_MARKDOWN
  const rest = text.slice(tailStart)
  const code = readOpenCode(rest)
  if (code !== undefined) return { text, done, tailStart, tail: [code] }
  const blocks = parseMarkdown(rest)
  const keep = firstUnsettled(blocks, rest)
  if (keep === 0) return { text, done, tailStart, tail: blocks }
  return {
    text,
    done: [...done, ...blocks.slice(0, keep)],
    tailStart: tailStart + lineStart(rest, blocks[keep]!.position!.start.offset!),
    tail: blocks.slice(keep),
  }
}

/**
 * A block is settled once another has begun after it, behind an empty line or with a fence. What follows without either
 * can still turn out to belong to it: `#` begins a heading and `#x` does not, `|---|` a table that `|---|---|` takes back.
 */
function firstUnsettled(blocks: readonly Block[], rest: string): number {
  for (let at = blocks.length - 1; at > 0; at--) {
    const start = blocks[at]!.position!.start.offset!
    const between = rest.slice(blocks[at - 1]!.position!.end.offset, start)
    const isWhole = rest.includes('\n', start)
    if (isWhole && (/\n[ \t]*\n/.test(between) || /^(```|~~~)/.test(rest.slice(start, start + 3)))) return at
  }
  return 0
}

/** Indentation before a block is part of what makes it one. */
function lineStart(rest: string, offset: number): number {
  return rest.lastIndexOf('\n', offset - 1) + 1
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)([^\n`]*)\n/

/** Code whose end has not come: the longest thing there is to stream, and simple enough to be read without the parser. */
function readOpenCode(rest: string): Block | undefined {
  const match = FENCE.exec(rest)
  if (match === null || match[0].startsWith(' ')) return undefined
  const [opening, fence = '', lang = ''] = match
  const value = rest.slice(opening.length)
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`, 'm')
  if (closing.test(value)) return undefined
  return { type: 'code', lang: lang === '' ? null : lang, meta: null, value: value.replace(/\n$/, '') }
}
