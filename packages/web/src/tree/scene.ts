import { BoxKind } from '../layout/boxes.ts'
import { boxAt, boxesIn, padded, type Rect } from '../layout/hit.ts'
import type { Layout } from '../layout/lay-out.ts'
import { createLayoutClient, type LayoutClient } from '../layout/layout-client.ts'
import { takeLayoutWorker } from '../layout/start-worker.ts'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { NodeFlag, type TreeModel } from '../state/tree-model.ts'
import {
  bringIntoView,
  type Camera,
  centredOn,
  fit,
  type Point,
  panBy,
  READABLE_SCALE,
  type Size,
  toScreen,
  toWorld,
  viewOf,
  zoomAt,
} from './camera.ts'
import type { Drag } from './drag.ts'
import { carryOver, type Folds, unfoldTo } from './folds.ts'
import { type Found, NOTHING_FOUND } from './found.ts'
import { glide } from './glide.ts'
import { GAPS, LayoutFeed, viewWith } from './layout-feed.ts'
import { boxFor, hasMoved } from './links.ts'
import { Motion } from './motion.ts'
import { NONE_NEAR, nextNear } from './near-view.ts'
import { NOTHING_SELECTED, type Selection, selectOne } from './selection.ts'
import { Turns } from './turns.ts'

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
  readonly camera = createStore<Camera>({ x: -40, y: -40, scale: READABLE_SCALE })
  readonly motion = new Motion()
  /** Keys that come faster than the server's answers. */
  readonly turns = new Turns()
  size: Size = { width: 0, height: 0 }
  folds: Folds = new Uint8Array(0)
  private tree: TreeModel
  private readonly feed = new LayoutFeed()
  private client: LayoutClient | undefined
  private stopLayouts: (() => void) | undefined
  private hasCamera = false
  /** The tree that the layout is of. */
  private laidOut: TreeModel | undefined
  private stopGlide: () => void = () => {}
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
      this.stopGlide()
      this.client = undefined
      worker.terminate()
    }
  }

  stop(): void {
    this.stopLayouts?.()
    this.stopLayouts = undefined
  }

  /** What is in the middle stays there, and the box where the keys are stays in sight when a panel takes its room. */
  resize(size: Size): void {
    const before = this.size
    this.size = size
    const layout = this.layout.get()
    if (layout !== undefined && !this.hasCamera) this.begin(layout)
    else if (before.width > 0) {
      const focus = this.rectOf(this.focusBox())
      const wasInSight = focus !== undefined && overlaps(focus, viewOf(this.camera.get(), before))
      const middle = panBy(this.camera.get(), (before.width - size.width) / 2, (before.height - size.height) / 2)
      this.camera.set(wasInSight ? bringIntoView(middle, focus, size) : middle)
    }
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
    const { x, y } = toWorld(this.camera.get(), point)
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

  /** Moves the view there: at once, or in the blink of an eye where motion is wanted. */
  lookAt(camera: Camera, isGliding = true): void {
    this.hasCamera = true
    this.stopGlide()
    if (isGliding) this.stopGlide = glide(this.camera, camera, this.size)
    else this.camera.set(camera)
  }

  zoom(factor: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.lookAt(zoomAt(this.camera.get(), at, factor), false)
  }

  fitAll(): void {
    const layout = this.layout.get()
    if (layout !== undefined) this.lookAt(fit(layout.index.bounds, this.size))
  }

  fitTrunk(): void {
    const layout = this.layout.get()
    if (layout === undefined) return
    let bounds: Rect | undefined
    for (let box = 0; box < layout.boxes.onTrunk.length; box++) {
      if (layout.boxes.onTrunk[box] === 1) bounds = union(bounds, this.rectOf(box)!)
    }
    if (bounds !== undefined) this.lookAt(fit(bounds, this.size))
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
    const camera = this.camera.get()
    const middle = { x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 }
    const scale = Math.max(camera.scale, READABLE_SCALE)
    this.lookAt(isCentred ? centredOn(middle, scale, this.size) : bringIntoView(camera, rect, this.size))
  }

  visible(): readonly number[] {
    const layout = this.layout.get()
    if (layout === undefined) return []
    return boxesIn(layout.index, padded(viewOf(this.camera.get(), this.size), GAPS.below))
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
    const anchor = this.anchor()
    const before = this.layout.get()
    const isFollowed = before !== undefined && this.isPutElsewhere(before)
    this.layout.set(layout)
    if (!this.hasCamera) {
      if (this.size.width > 0) this.begin(layout)
    } else if (anchor !== undefined) {
      const rect = this.rectOf(boxFor(layout, this.session.tree, anchor.place))
      const [dx, dy] = rect === undefined ? [0, 0] : [rect.left - anchor.x, rect.top - anchor.y]
      if (dx !== 0 || dy !== 0) {
        this.stopGlide()
        this.camera.update((camera) => ({ ...camera, x: camera.x + dx, y: camera.y + dy }))
      }
      const { tree } = this.session
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
    if (rect === undefined || !overlaps(rect, viewOf(this.camera.get(), this.size))) return false
    return hasMoved(layout, tree, box) && !tree.has(layout.boxes.first[box]!, NodeFlag.detached)
  }

  private anchor(): { readonly place: number; readonly x: number; readonly y: number } | undefined {
    const layout = this.layout.get()
    if (layout === undefined) return undefined
    const { x, y } = layout.index.rects
    const middle = { x: this.size.width / 2, y: this.size.height / 2 }
    const focus = this.focusBox()
    const { tree } = this.session
    let best = -1
    let least = Number.POSITIVE_INFINITY
    for (const box of this.visible()) {
      const at = toScreen(this.camera.get(), { x: x[box]!, y: y[box]! })
      const away = box === focus ? -1 : Math.hypot(at.x - middle.x, at.y - middle.y)
      // What was put elsewhere goes there, and not all the rest.
      if (away < least && !hasMoved(layout, tree, box)) [best, least] = [box, away]
    }
    return best < 0 ? undefined : { place: layout.boxes.first[best]!, x: x[best]!, y: y[best]! }
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
    this.hasCamera = true
    const { width, height } = this.size
    const whole = fit(layout.index.bounds, this.size)
    if (whole.scale >= 0.75) this.camera.set(whole)
    else {
      const x = rect.left - Math.max(24, (width - 3 * (rect.right - rect.left)) / 2)
      this.camera.set({
        x,
        y: Math.max(layout.index.bounds.top - 40, rect.bottom + 60 - height),
        scale: READABLE_SCALE,
      })
    }
  }

  /** Says which boxes are elements now. */
  updateNear(): void {
    const layout = this.layout.get()
    if (layout !== undefined) this.near.set(nextNear(this.near.get(), layout, this.camera.get(), this.size))
  }
}

function union(a: Rect | undefined, b: Rect): Rect {
  if (a === undefined) return b
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
}

const scenes = new WeakMap<OpenSession, TreeScene>()

export function sceneOf(session: OpenSession): TreeScene {
  const scene = scenes.get(session) ?? new TreeScene(session)
  scenes.set(session, scene)
  return scene
}
