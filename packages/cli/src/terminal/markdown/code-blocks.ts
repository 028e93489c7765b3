import { parseMarkdown } from './parse-markdown.ts'

/** The code in a text, as it was written, in order. */
export function codeBlocksOf(markdown: string): readonly string[] {
  const text = markdown.replace(/\r\n?/g, '\n')
  return parseMarkdown(text).flatMap(({ leaf }) => (leaf.type === 'code' ? [leaf.lines.join('\n')] : []))
}
