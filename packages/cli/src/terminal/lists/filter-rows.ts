import { Kind, Role, type Tree } from '@treeline/core'
import type { Filter } from '../../drawing/tree-view.ts'
import { labelsByRef } from './search-rows.ts'
import type { TreeLayout } from './tree-layout.ts'

/**
 * 1 for every row that a filter shows; `undefined` when it shows all. `isWordless` tells the answers that are known to
 * only call tools. The same as `viewTree` tells, but quick enough for a key at 100,000 nodes.
 */
export function filterRows(
  tree: Tree,
  { refs }: TreeLayout,
  filter: Filter,
  isWordless: (ref: number) => boolean,
): Uint8Array | undefined {
  const { kind, role } = tree.columns
  switch (filter) {
    case 'default':
    case 'all':
      return undefined
    case 'user':
      return mark(refs, (ref) => kind[ref] === Kind.message && role[ref] === Role.user)
    case 'labeled': {
      const labels = labelsByRef(tree)
      return mark(refs, (ref) => labels.has(ref))
    }
    case 'no-tools':
      return mark(refs, (ref) => kind[ref] !== Kind.message || (role[ref] !== Role.toolResult && !isWordless(ref)))
  }
}

function mark(refs: Int32Array, shows: (ref: number) => boolean): Uint8Array {
  const marks = new Uint8Array(refs.length)
  for (let row = 0; row < refs.length; row++) if (shows(refs[row]!)) marks[row] = 1
  return marks
}
