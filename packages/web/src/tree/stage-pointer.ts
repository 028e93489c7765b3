import { boxesIn } from '../layout/hit.ts'
import { switchTrunk } from './actions.ts'
import { type Camera, type Point, panBy, toWorld, zoomAt } from './camera.ts'
import { beginDrag, endDrag, moveDrag } from './dragging.ts'
import type { TreeScene } from './scene.ts'
import { extendTo, selectAll, selectOne, toggleOne } from './selection.ts'

/** A press is a drag from here on. */
const SLACK_PX = 5
const LONG_PRESS_MS = 500
/** A notch of a wheel that counts lines. */
const LINE_PX = 24

type Press =
  | { readonly kind: 'pan'; readonly from: Point; readonly camera: Camera }
  | { readonly kind: 'box'; readonly from: Point; readonly box: number; readonly camera: Camera }
  | { readonly kind: 'select'; readonly from: Point; readonly isMore: boolean }
  | { readonly kind: 'drag' }

/** What a pointer does on the stage: click, pan, zoom, drag a node, draw a box around several. */
export class StagePointer {
  private readonly scene: TreeScene
  private readonly element: HTMLElement
  private readonly rubber: HTMLElement
  private press: Press | undefined
  private readonly touches = new Map<number, Point>()
  private longPress: ReturnType<typeof setTimeout> | undefined
  private readonly ends = new AbortController()

  constructor(scene: TreeScene, element: HTMLElement, rubber: HTMLElement) {
    this.scene = scene
    this.element = element
    this.rubber = rubber
    const options = { signal: this.ends.signal }
    element.addEventListener('pointerdown', (event) => this.down(event), options)
    element.addEventListener('pointermove', (event) => this.move(event), options)
    element.addEventListener('pointerup', (event) => this.up(event), options)
    element.addEventListener('pointercancel', (event) => this.cancel(event), options)
    element.addEventListener('dblclick', (event) => this.doubleClick(event), options)
    element.addEventListener('contextmenu', (event) => this.contextMenu(event), options)
    element.addEventListener('wheel', (event) => this.wheel(event), { ...options, passive: false })
  }

  close(): void {
    clearTimeout(this.longPress)
    this.ends.abort()
  }

  private at(event: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  private down(event: PointerEvent): void {
    if (isControl(event.target) || event.button > 1) return
    const at = this.at(event)
    const { scene } = this
    scene.menu.set(undefined)
    this.element.focus({ preventScroll: true })
    this.element.setPointerCapture(event.pointerId)
    if (event.pointerType === 'touch') this.touches.set(event.pointerId, at)
    const camera = scene.viewport.camera.get()
    const box = event.button === 1 ? -1 : scene.boxAt(at)
    if (this.touches.size > 1) this.press = undefined
    else if (box >= 0) this.press = { kind: 'box', from: at, box, camera }
    else if (event.shiftKey) this.press = { kind: 'select', from: at, isMore: event.ctrlKey || event.metaKey }
    else this.press = { kind: 'pan', from: at, camera }
    clearTimeout(this.longPress)
    if (event.pointerType === 'touch' && box >= 0) {
      this.longPress = setTimeout(() => this.openMenu(at), LONG_PRESS_MS)
    }
  }

  private move(event: PointerEvent): void {
    const at = this.at(event)
    if (this.touches.has(event.pointerId)) {
      if (this.pinch(event.pointerId, at)) return
    }
    const { press, scene } = this
    if (press === undefined) return
    if (press.kind === 'drag') {
      moveDrag(scene, at, event)
      return
    }
    const [dx, dy] = [at.x - press.from.x, at.y - press.from.y]
    if (Math.hypot(dx, dy) < SLACK_PX) return
    clearTimeout(this.longPress)
    if (press.kind === 'select') this.drawRubber(press.from, at)
    else if (press.kind === 'box' && event.pointerType !== 'touch' && !event.shiftKey) {
      const id = scene.idOfBox(press.box)
      this.press = { kind: 'drag' }
      if (id !== undefined) beginDrag(scene, id, at, event)
    } else if (press.kind === 'box' && event.shiftKey) this.press = { kind: 'select', from: press.from, isMore: false }
    else {
      this.element.classList.add('is-panning')
      scene.viewport.lookAt(panBy(press.camera, -dx, -dy), false)
    }
  }

  private up(event: PointerEvent): void {
    const { press, scene } = this
    const at = this.at(event)
    this.cancel(event)
    if (press === undefined) return
    if (press.kind === 'drag') void endDrag(scene)
    else if (press.kind === 'select') this.selectWithin(press.from, at, press.isMore)
    else if (Math.hypot(at.x - press.from.x, at.y - press.from.y) < SLACK_PX) this.click(press, event)
  }

  private cancel(event: PointerEvent): void {
    clearTimeout(this.longPress)
    this.touches.delete(event.pointerId)
    this.press = undefined
    this.rubber.hidden = true
    this.element.classList.remove('is-panning')
  }

  private click(press: Press, event: PointerEvent): void {
    const { scene } = this
    const id = press.kind === 'box' ? scene.idOfBox(press.box) : undefined
    if (id === undefined) {
      if (press.kind === 'pan') scene.selection.update(({ focus }) => ({ focus, ids: new Set() }))
      return
    }
    scene.selection.update((selection) => {
      if (event.ctrlKey || event.metaKey) return toggleOne(selection, id)
      return event.shiftKey ? extendTo(selection, id) : selectOne(id)
    })
  }

  private doubleClick(event: MouseEvent): void {
    if (isControl(event.target)) return
    const id = this.scene.idOfBox(this.scene.boxAt(this.at(event)))
    if (id !== undefined) void switchTrunk(this.scene.session, id)
  }

  private contextMenu(event: MouseEvent): void {
    event.preventDefault()
    this.openMenu(this.at(event))
  }

  private openMenu(at: Point): void {
    const { scene } = this
    this.press = undefined
    const id = scene.idOfBox(scene.boxAt(at))
    if (id === undefined) return
    if (!scene.selection.get().ids.has(id)) scene.selection.set(selectOne(id))
    scene.menu.set(at)
  }

  private wheel(event: WheelEvent): void {
    if (isScroller(event.target)) return
    event.preventDefault()
    const { scene } = this
    const unit = event.deltaMode === 0 ? 1 : LINE_PX
    if (event.ctrlKey || event.metaKey) {
      const by = Math.max(-60, Math.min(60, event.deltaY * unit))
      scene.viewport.zoom(2 ** (-by / 100), this.at(event))
      return
    }
    const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY]
    scene.viewport.lookAt(panBy(scene.viewport.camera.get(), dx * unit, dy * unit), false)
  }

  /** Two fingers: what was between them stays between them. */
  private pinch(pointerId: number, at: Point): boolean {
    const other = [...this.touches].find(([id]) => id !== pointerId)?.[1]
    const before = this.touches.get(pointerId)!
    this.touches.set(pointerId, at)
    if (other === undefined) return false
    clearTimeout(this.longPress)
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 }
    const was = { x: (before.x + other.x) / 2, y: (before.y + other.y) / 2 }
    const factor =
      Math.hypot(at.x - other.x, at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y))
    const moved = panBy(this.scene.viewport.camera.get(), was.x - middle.x, was.y - middle.y)
    this.scene.viewport.lookAt(zoomAt(moved, middle, factor), false)
    return true
  }

  private drawRubber(from: Point, to: Point): void {
    const { style } = this.rubber
    this.rubber.hidden = false
    style.left = `${Math.min(from.x, to.x)}px`
    style.top = `${Math.min(from.y, to.y)}px`
    style.width = `${Math.abs(from.x - to.x)}px`
    style.height = `${Math.abs(from.y - to.y)}px`
  }

  private selectWithin(from: Point, to: Point, isMore: boolean): void {
    const { scene } = this
    const layout = scene.layout.get()
    if (layout === undefined) return
    const camera = scene.viewport.camera.get()
    const [a, b] = [toWorld(camera, from), toWorld(camera, to)]
    const rect = {
      left: Math.min(a.x, b.x),
      top: Math.min(a.y, b.y),
      right: Math.max(a.x, b.x),
      bottom: Math.max(a.y, b.y),
    }
    const ids = boxesIn(layout.index, rect).map((box) => scene.idOfBox(box)!)
    scene.selection.update((selection) => selectAll(selection, ids, isMore))
  }
}

/** Buttons and the like work by themselves. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, a, [role="menu"], .tree-minimap') !== null
}

function isScroller(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"]') !== null
}
