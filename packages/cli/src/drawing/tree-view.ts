import { Kind, listFragments, ROOT, Role, type Tree } from '@treeline/core'
import { entryLinks } from './entry-links.ts'
import { childrenOf, LinkBuilder, type Links } from './links.ts'

export interface StashedView {
  /** The top of the fragment. */
  readonly top: number
  /** What is shown of it: the top, or what hangs below it when the top itself is filtered out. */
  readonly roots: readonly number[]
}

/** What of a tree is to be shown. Whatever hangs under something hidden is shown under the nearest that is not. */
export interface TreeView {
  readonly roots: readonly number[]
  readonly stash: readonly StashedView[]
  /** Without the stash. */
  readonly count: number
  children(ref: number): readonly number[]
}

export const FILTERS = ['default', 'no-tools', 'user', 'labeled', 'all'] as const
export type Filter = (typeof FILTERS)[number]

type Shows = (ref: number) => boolean

/**
 * `entries`: as `all`, without what Treeline notes down for itself, which is no part of anybody's tree. `hasWords`
 * tells for `no-tools` which answers say something.
 */
export function viewTree(tree: Tree, filter: Filter | 'entries', hasWords: Shows = () => true): TreeView {
  const everything = filter === 'all' || filter === 'entries'
  const { firstChild: first, next } = tree.columns
  const links = everything ? entryLinks(tree) : { first, next }
  return contract(tree, links, filterOf(tree, filter, hasWords))
}

function filterOf({ columns, edits, ids }: Tree, filter: Filter | 'entries', hasWords: Shows): Shows {
  const { kind, role } = columns
  switch (filter) {
    case 'default':
    case 'all':
      return () => true
    case 'entries':
      return (ref) => kind[ref] !== Kind.edit && kind[ref] !== Kind.generation && kind[ref] !== Kind.treeline
    case 'user':
      return (ref) => kind[ref] === Kind.message && role[ref] === Role.user
    case 'labeled':
      return (ref) => edits.labels.has(ids.textOf(ref))
    case 'no-tools':
      return (ref) => {
        if (kind[ref] !== Kind.message) return true
        return role[ref] !== Role.toolResult && (role[ref] !== Role.assistant || hasWords(ref))
      }
  }
}

function contract(tree: Tree, links: Links, shows: Shows): TreeView {
  const shown = new LinkBuilder(tree.ids.count)
  let count = 0

  /** Takes in what is at and below the given refs; gives those that have nobody shown above them. */
  function take(tops: readonly number[]): number[] {
    const roots: number[] = []
    const open = tops.map((ref) => ({ ref, above: ROOT })).reverse()
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      const { ref, above } = item
      const isShown = shows(ref)
      if (isShown) {
        count++
        if (above === ROOT) roots.push(ref)
        else shown.append(ref, above)
      }
      const below = childrenOf(links, ref)
      for (let i = below.length - 1; i >= 0; i--) open.push({ ref: below[i]!, above: isShown ? ref : above })
    }
    return roots
  }

  const roots = take(childrenOf(links, ROOT))
  const attached = count
  const tops = listFragments(tree).map(({ fragmentId }) => tree.ids.find(fragmentId))
  const stash = tops.map((top) => ({ top, roots: take([top]) }))
  return { roots, stash, count: attached, children: (ref) => childrenOf(shown, ref) }
}
