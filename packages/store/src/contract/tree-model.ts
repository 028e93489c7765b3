import type { TreeLook } from './look.ts'

/** What a session is, said as simply as possible: a list of things done, replayed from the start at every question. */
export type Change =
  | { readonly type: 'append'; readonly id: string; readonly parent: string | null }
  | { readonly type: 'mute'; readonly id: string; readonly on: boolean }
  | { readonly type: 'prune' | 'delete' | 'restore'; readonly id: string }
  | { readonly type: 'graft'; readonly id: string; readonly target: string | null }
  | { readonly type: 'label'; readonly id: string; readonly label: string | null }
  | { readonly type: 'name'; readonly name: string | null }
  | { readonly type: 'leaf' }

interface Step {
  readonly change?: Change
  /** The step this one takes back. */
  readonly undoes?: Step
  /** An undo, or an edit that is undone, counts for nothing. */
  isOff: boolean
  /** How the leaf moved with it: because it was asked to, or because it was cut off. */
  moved?: { readonly from: string | null; readonly to: string | null; readonly asked: boolean }
}

interface Place {
  /** `undefined`: not in the tree. */
  parent: string | null | undefined
  muted: boolean
  fragmentOf?: readonly [string | null, number] | undefined
  deletedFrom?: { readonly parent: string | null; readonly index: number; readonly fragmentOf?: Place['fragmentOf'] }
}

export class TreeModel {
  leaf: string | null = null
  private readonly steps: Step[] = []

  /** Does something that is known to be possible; the leaf goes where it is told, or where it was cut off. */
  change(change: Change, leaf?: string | null): void {
    const step: Step = { change, isOff: false }
    const from = this.leaf
    const above = this.above(change)
    this.steps.push(step)
    if (leaf !== undefined) this.leaf = leaf
    else this.dropLeaf(above)
    if (this.leaf !== from) step.moved = { from, to: this.leaf, asked: change.type === 'leaf' }
  }

  /** Returns false when there is nothing to undo, or the conversation has moved on since. */
  undo(): boolean {
    return this.takeBack(this.steps.findLast(({ change, isOff }) => isEdit(change) && !isOff))
  }

  redo(): boolean {
    for (const step of this.steps.toReversed()) {
      if (step.isOff || step.change?.type === 'append') continue
      if (step.undoes === undefined) return false
      if (step.undoes.undoes === undefined) return this.takeBack(step)
    }
    return false
  }

  look(): TreeLook {
    const { places, children, labels, name } = this.replay()
    const nodes = [...places].map(([id, { parent, muted }]) => [id, { parent, children: children(id), muted }] as const)
    const fragments = [...places].flatMap(([id, { fragmentOf }]) => (fragmentOf ? [[id, fragmentOf] as const] : []))
    const deleted = [...places].filter(([, { deletedFrom }]) => deletedFrom).map(([id]) => id)
    return {
      nodes: Object.fromEntries(nodes),
      roots: children(null),
      fragments: Object.fromEntries(fragments),
      deleted: deleted.sort(),
      labels: Object.fromEntries(labels),
      name,
    }
  }

  /** Nodes by what can be done with them. */
  get attached(): string[] {
    const { places } = this.replay()
    return [...places.keys()].filter((id) => topOf(places, id).parent === null)
  }
  get live(): string[] {
    const { places } = this.replay()
    return [...places.keys()].filter((id) => !topOf(places, id).deletedFrom)
  }
  get cuttable(): string[] {
    const { places } = this.replay()
    return this.live.filter((id) => places.get(id)!.parent !== undefined)
  }
  get restorable(): string[] {
    const { places } = this.replay()
    return [...places].flatMap(([id, { deletedFrom: from }]) =>
      from && (from.fragmentOf || from.parent === null || !topOf(places, from.parent).deletedFrom) ? [id] : [],
    )
  }
  isMuted(id: string): boolean {
    return this.replay().places.get(id)!.muted
  }
  isWithin(id: string | null, top: string): boolean {
    const { places } = this.replay()
    for (let at = id; at != null; at = places.get(at)!.parent ?? null) if (at === top) return true
    return false
  }

  private takeBack(step: Step | undefined): boolean {
    if (step === undefined || (step.moved?.asked && this.leaf !== step.moved.to)) return false
    const from = this.leaf
    const undo: Step = { undoes: step, isOff: false }
    if (step.moved?.asked) this.leaf = step.moved.from
    const above = this.above(changeOf(step))
    setOff(step, true)
    this.steps.push(undo)
    const before = this.leaf
    this.dropLeaf(above)
    let asked = step.moved?.asked ?? false
    if (step.moved && !step.moved.asked && this.leaf === step.moved.to && this.leaf === before) {
      this.leaf = step.moved.from
      asked = true
    }
    if (this.leaf !== from) undo.moved = { from, to: this.leaf, asked }
    return true
  }

  private above(change: Change | undefined): string | null {
    return change !== undefined && 'id' in change ? (this.replay().places.get(change.id)?.parent ?? null) : null
  }

  /** A leaf that was cut off goes to where it was cut. */
  private dropLeaf(above: string | null): void {
    if (this.leaf !== null && topOf(this.replay().places, this.leaf).parent !== null) this.leaf = above
  }

  private replay() {
    const places = new Map<string, Place>()
    const order = new Map<string | null, string[]>()
    const labels = new Map<string, string>()
    let name: string | null | undefined
    const children = (id: string | null) => order.get(id) ?? []
    const insert = (id: string, parent: string | null, index = Number.POSITIVE_INFINITY) => {
      places.get(id)!.parent = parent
      order.set(parent, children(parent).toSpliced(index, 0, id))
    }
    const remove = (id: string) => {
      const place = places.get(id)!
      if (place.parent !== undefined)
        order.set(
          place.parent,
          children(place.parent).filter((child) => child !== id),
        )
      place.parent = undefined
    }
    for (const { change, isOff } of this.steps) {
      if (change === undefined || isOff || change.type === 'leaf') continue
      if (change.type === 'name') name = change.name
      else if (change.type === 'append') {
        places.set(change.id, { parent: null, muted: false })
        insert(change.id, change.parent)
      } else if (change.type === 'label') {
        if (change.label === null) labels.delete(change.id)
        else labels.set(change.id, change.label)
      } else {
        const place = places.get(change.id)!
        const { parent, fragmentOf } = place
        const index = parent === undefined ? 0 : children(parent).indexOf(change.id)
        if (change.type === 'mute') place.muted = change.on
        else if (change.type === 'restore') {
          const from = place.deletedFrom!
          delete place.deletedFrom
          if (from.fragmentOf) place.fragmentOf = from.fragmentOf
          else insert(change.id, from.parent, from.index)
        } else {
          remove(change.id)
          delete place.fragmentOf
          if (change.type === 'graft') insert(change.id, change.target)
          else if (change.type === 'prune') place.fragmentOf = [parent!, index]
          else place.deletedFrom = { parent: parent ?? null, index, fragmentOf }
        }
      }
    }
    return { places, children, labels, name }
  }
}

function isEdit(change: Change | undefined): boolean {
  return change !== undefined && change.type !== 'append'
}

/** An undo that is taken back puts what it undid in force again. */
function setOff(step: Step, isOff: boolean): void {
  step.isOff = isOff
  if (step.undoes !== undefined) setOff(step.undoes, !isOff)
}

function changeOf(step: Step): Change | undefined {
  return step.change ?? (step.undoes && changeOf(step.undoes))
}

function topOf(places: ReadonlyMap<string, Place>, id: string): Place {
  let place = places.get(id)!
  while (place.parent != null) place = places.get(place.parent)!
  return place
}
