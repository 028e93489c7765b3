import type { Tree } from '@treeline/core'
import { wordOf } from '../../drawing/entry-names.ts'
import { entryWord } from '../entry-word.ts'
import type { PreviewCache } from './preview-cache.ts'
import { keepRows, type TreeLayout } from './tree-layout.ts'

export function wordsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

interface Found {
  readonly query: string
  /** What was looked through, and how much of it had been read. */
  readonly layout: TreeLayout
  readonly version: number
  readonly found: TreeLayout
}

/** What a search shows of a layout. Class: with each letter more it looks only through what it found before. */
export class RowSearch {
  private last: Found | undefined

  find(tree: Tree, layout: TreeLayout, query: string, previews: PreviewCache): TreeLayout {
    const { last } = this
    const lowered = query.toLowerCase()
    const { version } = previews
    const isMore = last?.layout === layout && last.version === version && lowered.startsWith(last.query)
    const from = isMore ? last.found : layout
    const found = keepRows(from, searchRows(tree, from, wordsOf(query), previews))
    this.last = { query: lowered, layout, version, found }
    return found
  }
}

/** 1 for every row that has all the words, in its role, its label or what is read of its text. */
function searchRows(
  tree: Tree,
  { refs }: TreeLayout,
  words: readonly string[],
  previews: Pick<PreviewCache, 'loweredOf'>,
): Uint8Array {
  const { kind, role } = tree.columns
  const labels = labelsByRef(tree)
  const found = new Uint8Array(refs.length)
  /** Few kinds and roles, asked for every row. */
  const names: string[] = []
  for (let row = 0; row < refs.length; row++) {
    const ref = refs[row]!
    const key = kind[ref]! * 256 + role[ref]!
    names[key] ??= nameOf(wordOf(tree, ref))
    const name = names[key]
    const text = previews.loweredOf(ref) ?? ''
    const label = labels.size === 0 ? '' : (labels.get(ref) ?? '')
    let has = 1
    for (let i = 0; i < words.length && has === 1; i++) {
      const word = words[i]!
      if (!text.includes(word) && !name.includes(word) && !label.includes(word)) has = 0
    }
    found[row] = has
  }
  return found
}

/** As it is on disk, and as it is shown. */
function nameOf(word: string): string {
  return `${word} ${entryWord(word)}`.toLowerCase()
}

export function labelsByRef({ edits, ids }: Tree): ReadonlyMap<number, string> {
  return new Map([...edits.labels].map(([id, { label }]) => [ids.find(id), label.toLowerCase()]))
}
