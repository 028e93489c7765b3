import { BoxKind } from '../layout/boxes.ts'
import { boxAt, boxesIn, overlaps, padded, type Rect, union } from '../layout/hit.ts'
import type { Layout } from '../layout/lay-out.ts'
import { createLayoutClient, type LayoutClient } from '../layout/layout-client.ts'
import { takeLayoutWorker } from '../layout/start-worker.ts'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { NodeFlag, type TreeModel } from '../state/tree-model.ts'
import { findAnchor } from './anchor.ts'
import { fit, type Point, READABLE_SCALE, type Size } from './camera.ts'
import type { Drag } from './drag.ts'
import { carryOver, type Folds, unfoldTo } from './folds.ts'
import { type Found, NOTHING_FOUND } from './found.ts'
import { GAPS, LayoutFeed, viewWith } from './layout-feed.ts'
import { boxFor, hasMoved } from './links.ts'
import { Motion } from './motion.ts'
import { NONE_NEAR, nextNear } from './near-view.ts'
import { NOTHING_SELECTED, type Selection, selectOne } from './selection.ts'
import { Turns } from './turns.ts'
import { Viewport } from './viewport.ts'

export interface Panels {
  readonly outline: boolean
  readonly history: boolean
  readonly stash: boolean
}

/** What of the tree view outlives its being drawn: one can look at the chat and come back to the same place. */
export class TreeScene {
  readonly session: OpenSession
  readonly layout = createStore<Layout | undefined>(undefined)
  readonly selection = createStore<Selection>(NOTHING_SELECTED)
  readonly found = createStore<Found>(NOTHING_FOUND)
  readonly near = createStore(NONE_NEAR)
  readonly drag = createStore<Drag | undefined>(undefined)
  /** Where the menu stands open, on the stage. */
  readonly menu = createStore<Point | undefined>(undefined)
  /** What stands beside and below the stage. */
  readonly panels = createStore<Panels>({ outline: false, history: false, stash: true })
  /** The fragment or node that was cut out to be put elsewhere. */
  readonly held = createStore<string | undefined>(undefined)
  readonly viewport = new Viewport()
  readonly motion = new Motion()
  /** Keys that come faster than the server's answers. */
  readonly turns = new Turns()
  folds: Folds = new Uint8Array(0)
  private tree: TreeModel
  private readonly feed = new LayoutFeed()
  private client: LayoutClient | undefined
  private stopLayouts: (() => void) | undefined
  /** The tree that the layout is of. */
  private laidOut: TreeModel | undefined
  /** A node to go to as soon as it stands somewhere. */
  private awaited: { readonly id: string; readonly isCentred: boolean } | undefined

  constructor(session: OpenSession) {
    this.session = session
    this.tree = session.tree
  }

  /** Has layouts made from now on: while the tree is on screen, or is about to be. */
  start(): void {
    if (this.stopLayouts !== undefined) return
    const worker = takeLayoutWorker()
    this.client = createLayoutClient({
      port: worker,
      onLayout: (layout) => this.take(layout),
      onBehind: () => {
        this.feed.forget()
        this.send()
      },
    })
    this.feed.forget()
    this.send()
    const stop = this.session.state.subscribe(() => this.send())
    this.stopLayouts = () => {
      stop()
      this.viewport.stop()
      this.client = undefined
      worker.terminate()
    }
  }

  stop(): void {
    this.stopLayouts?.()
    this.stopLayouts = undefined
  }

  /** The box where the keys are stays in sight when a panel takes its room. */
  resize(size: Size): void {
    const { viewport } = this
    const layout = this.layout.get()
    const isFirst = layout !== undefined && !viewport.hasLooked
    viewport.resize(size, this.rectOf(this.focusBox()))
    if (isFirst) this.begin(layout)
  }

  /** So much of the bottom has a bar in front of it; what is selected is not left behind it. */
  setCover(cover: number, boxes: readonly number[]): void {
    const focus = this.rectOf(this.focusBox())
    const all = boxes.map((box) => this.rectOf(box)!).filter((rect) => overlaps(rect, this.viewport.view))
    const whole = all.reduce<Rect | undefined>(union, undefined)
    const { top, bottom } = this.viewport.view
    const fits = whole !== undefined && whole.bottom - whole.top < (bottom - top) * 0.75
    this.viewport.setCover(cover, fits ? whole : focus)
  }

  /** On a narrow screen there is room for one beside the stage. */
  togglePanel(name: keyof Panels): void {
    this.panels.update((panels) => {
      const isOnlyOne = !panels[name] && name !== 'stash' && matchMedia('(max-width: 700px)').matches
      const others = isOnlyOne ? { outline: false, history: false } : {}
      return { ...panels, ...others, [name]: !panels[name] }
    })
  }

  setFolds(folds: Folds): void {
    this.folds = folds
    this.client?.send({ view: viewWith(folds) })
  }

  focusBox(): number {
    const layout = this.layout.get()
    const place = this.session.tree.place(this.selection.get().focus)
    return layout === undefined ? -1 : boxFor(layout, this.session.tree, place)
  }

  boxAt(point: Point): number {
    const layout = this.layout.get()
    const { x, y } = this.viewport.toTree(point)
    return layout === undefined ? -1 : boxAt(layout.index, x, y)
  }

  idOfBox(box: number): string | undefined {
    const first = this.layout.get()?.boxes.first[box]
    return first === undefined ? undefined : this.session.tree.ids[first]
  }

  rectOf(box: number): Rect | undefined {
    const rects = this.layout.get()?.index.rects
    if (rects === undefined || box < 0 || box >= rects.x.length) return undefined
    const [left, top] = [rects.x[box]!, rects.y[box]!]
    return { left, top, right: left + rects.width[box]!, bottom: top + rects.height[box]! }
  }

  fitAll(): void {
    const layout = this.layout.get()
    if (layout !== undefined) this.viewport.fit(layout.index.bounds)
  }

  fitTrunk(): void {
    const layout = this.layout.get()
    if (layout === undefined) return
    let bounds: Rect | undefined
    for (let box = 0; box < layout.boxes.onTrunk.length; box++) {
      if (layout.boxes.onTrunk[box] === 1) bounds = union(bounds, this.rectOf(box)!)
    }
    if (bounds !== undefined) this.viewport.fit(bounds)
  }

  /** Selects a node, unfolds the way to it, and shows it. */
  goTo(id: string, isCentred = true): void {
    const place = this.session.tree.place(id)
    if (place < 0) return
    this.selection.set(selectOne(id))
    const layout = this.layout.get()
    const box = layout?.boxes.boxOf[place] ?? -1
    const isAlone = layout !== undefined && box >= 0 && layout.boxes.kind[box] === BoxKind.node
    const isInSight = isAlone && !hasMoved(layout, this.session.tree, box)
    if (isInSight) this.show(box, isCentred)
    else {
      this.awaited = { id, isCentred }
      this.setFolds(unfoldTo(this.folds, this.session.tree, place))
    }
  }

  /** Brings a box onto the screen. */
  show(box: number, isCentred = false): void {
    const rect = this.rectOf(box)
    if (rect === undefined) return
    if (isCentred) this.viewport.centre(rect)
    else this.viewport.bring(rect)
  }

  visible(): readonly number[] {
    const layout = this.layout.get()
    if (layout === undefined) return []
    return boxesIn(layout.index, padded(this.viewport.view, GAPS.below))
  }

  private send(): void {
    const { tree, state } = this.session
    const { status, mode } = state.get()
    // A plain chat hides the tree, whatever the address says (T36).
    if (status === 'loading' || mode === 'linear') return
    if (tree !== this.tree) {
      this.folds = carryOver(this.folds, this.tree, tree)
      this.tree = tree
    }
    const changes = this.feed.changesOf(tree)
    if (changes !== undefined) this.client?.send({ ...changes, ...(changes.tree && { view: viewWith(this.folds) }) })
  }

  /** What one was looking at stays where it is on screen, whatever comes or goes around it. */
  private take(layout: Layout): void {
    const { viewport, session } = this
    const before = this.layout.get()
    const anchor =
      before && findAnchor(before, session.tree, { viewport, visible: this.visible(), focus: this.focusBox() })
    const isFollowed = before !== undefined && this.isPutElsewhere(before)
    this.layout.set(layout)
    if (!viewport.hasLooked) {
      if (viewport.size.width > 0) this.begin(layout)
    } else if (anchor !== undefined) {
      const rect = this.rectOf(boxFor(layout, this.session.tree, anchor.place))
      const [dx, dy] = rect === undefined ? [0, 0] : [rect.left - anchor.x, rect.top - anchor.y]
      if (dx !== 0 || dy !== 0) viewport.follow(dx, dy)
      const { tree } = session
      // Of a tree that was read anew the places are others.
      const isSame = this.laidOut === tree
      if (before !== undefined && isSame) {
        this.motion.begin({ before, after: layout, tree, visible: this.visible(), shift: { x: dx, y: dy } })
      }
    }
    this.laidOut = this.session.tree
    if (isFollowed) this.show(this.focusBox())
    const { awaited } = this
    if (awaited !== undefined) {
      this.awaited = undefined
      this.show(boxFor(layout, this.session.tree, this.session.tree.place(awaited.id)), awaited.isCentred)
    }
  }

  /** Whether the box where the keys are was in sight and hangs elsewhere now: in the tree, for the stash is a shelf. */
  private isPutElsewhere(layout: Layout): boolean {
    const { tree } = this.session
    const box = this.focusBox()
    const rect = this.rectOf(box)
    if (rect === undefined || !overlaps(rect, this.viewport.view)) return false
    return hasMoved(layout, tree, box) && !tree.has(layout.boxes.first[box]!, NodeFlag.detached)
  }

  /** The first look: at where the conversation goes on. */
  private begin(layout: Layout): void {
    const { tree } = this.session
    const leaf = tree.place(tree.activeLeafId)
    const box = boxFor(layout, tree, leaf)
    if (this.selection.get().focus === null && leaf >= 0) this.selection.set(selectOne(tree.activeLeafId))
    const rect = this.rectOf(Math.max(0, box))
    // Of nothing there is no first look yet.
    if (rect === undefined) return
    const { viewport } = this
    const { width, height } = viewport.size
    const whole = fit(layout.index.bounds, viewport.size)
    const x = rect.left - Math.max(24, (width - 3 * (rect.right - rect.left)) / 2)
    const y = Math.max(layout.index.bounds.top - 40, rect.bottom + 60 - height)
    viewport.lookAt(whole.scale >= 0.75 ? whole : { x, y, scale: READABLE_SCALE }, false)
  }

  /** Says which boxes are elements now. */
  updateNear(): void {
    const layout = this.layout.get()
    if (layout !== undefined)
      this.near.set(nextNear(this.near.get(), layout, this.viewport.camera.get(), this.viewport.size))
  }
}

const scenes = new WeakMap<OpenSession, TreeScene>()

export function sceneOf(session: OpenSession): TreeScene {
  const scene = scenes.get(session) ?? new TreeScene(session)
  scenes.set(session, scene)
  return scene
}
