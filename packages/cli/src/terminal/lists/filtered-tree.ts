import { ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Filter } from '../../drawing/tree-view.ts'
import { filterRows } from './filter-rows.ts'
import { linkTree } from './linked-tree.ts'
import { readWordless } from './read-wordless.ts'
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
  private wordless: ReadonlySet<number> = new Set()
  /** The last line when those were read. */
  private wordlessAt = 0

  constructor(session: Session) {
    this.session = session
    this.tree = session.tree
  }

  get version(): string {
    const { epoch, seq, leafId } = this.session
    return `${epoch} ${seq} ${leafId}`
  }

  layOut(filter: Filter): LaidOut {
    const whole = this.layOutWhole(filter === 'all')
    const shown = filterRows(this.tree, whole.layout, filter, this.wordless)
    return shown === undefined ? whole : { ...whole, layout: keepRows(whole.layout, shown) }
  }

  /** Without tools, answers that only call some are left out too, once they were read. False: nothing new. */
  async readWordless(): Promise<boolean> {
    const { seq } = this.session
    if (this.wordlessAt === seq) return false
    this.wordlessAt = seq
    this.wordless = await readWordless(this.session, this.layOutWhole(false).layout.refs)
    return true
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
