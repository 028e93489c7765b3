import { ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Filter } from '../../drawing/tree-view.ts'
import { filterRows } from './filter-rows.ts'
import { linkTree } from './linked-tree.ts'
import { keepRows, layOut, type TreeLayout } from './tree-layout.ts'

export interface LaidOut {
  /** Another one when the session has changed since. */
  readonly version: string
  readonly layout: TreeLayout
  /** By ref, 1 for those on the trunk. */
  readonly trunk: Uint8Array
  /** ROOT for none. */
  readonly leaf: number
}

/** What a filter shows of a session's tree. Class: it keeps what it has laid out, so that changing the filter is quick. */
export class FilteredTree {
  private readonly session: Session
  private readonly tree: Session['tree']
  private readonly whole = new Map<boolean, LaidOut>()

  constructor(session: Session) {
    this.session = session
    this.tree = session.tree
  }

  get version(): string {
    const { epoch, seq, leafId } = this.session
    return `${epoch} ${seq} ${leafId}`
  }

  /** `wordless` are answers that only call tools, as far as they were read: only their bodies say so. */
  layOut(filter: Filter, wordless: ReadonlySet<number>): LaidOut {
    const whole = this.layOutWhole(filter === 'all')
    // Where one is stays in sight, whatever it says.
    const hidden = (ref: number) => ref !== whole.leaf && wordless.has(ref)
    const shown = filterRows(this.tree, whole.layout, filter, hidden)
    return shown === undefined ? whole : { ...whole, layout: keepRows(whole.layout, shown) }
  }

  private layOutWhole(hasAll: boolean): LaidOut {
    const { version, tree } = this
    const kept = this.whole.get(hasAll)
    if (kept?.version === version) return kept
    const { leafId } = this.session
    const linked = linkTree(tree, leafId === null ? ROOT : tree.ids.find(leafId), hasAll)
    const { trunk, leaf } = linked
    const made = { version, layout: layOut(linked), trunk, leaf }
    this.whole.set(hasAll, made)
    return made
  }
}
