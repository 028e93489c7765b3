import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** One block of a text: a paragraph, a list, a table, some code. */
export type Block = RootContent

const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** Nothing in it is HTML to anybody: what looks like it stays text. */
export function parseMarkdown(text: string): readonly Block[] {
  return fromMarkdown(text, options).children
}
