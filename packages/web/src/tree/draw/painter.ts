import type { Layout } from '../../layout/lay-out.ts'
import { NodeFlag } from '../../state/tree-model.ts'
import { type Camera, detailAt, type Size } from '../camera.ts'
import { boxFor } from '../links.ts'
import { moveCards } from '../move-cards.ts'
import { MAX_NEAR } from '../near-view.ts'
import { lineOf } from '../node-text.ts'
import type { TreeScene } from '../scene.ts'
import { selectedBoxes } from '../targets.ts'
import { drawTree } from './draw-tree.ts'
import type { Frame, Marks } from './frame.ts'
import { type Palette, readPalette, watchTheme } from './palette.ts'

const WANT_AFTER_MS = 120
const REST_MS = 160
/** So many texts are asked for at once; who looks longer gets the rest with the next look. */
const MOST_WANTED = 400

/** Draws the scene when something has changed, at most once per frame of the screen. */
export class Painter {
  private readonly scene: TreeScene
  private readonly canvas: HTMLCanvasElement
  private readonly layer: HTMLElement
  private readonly context: CanvasRenderingContext2D
  private palette: Palette
  private frame = 0
  private scale = 0
  private isMoving = false
  private resting: ReturnType<typeof setTimeout> | undefined
  private wanting: ReturnType<typeof setTimeout> | undefined
  private readonly stops: (() => void)[]

  constructor(scene: TreeScene, canvas: HTMLCanvasElement, layer: HTMLElement) {
    this.scene = scene
    this.canvas = canvas
    this.layer = layer
    this.context = canvas.getContext('2d')!
    this.palette = readPalette(canvas.parentElement!)
    const ask = (): void => this.ask()
    this.stops = [
      scene.viewport.camera.subscribe(ask),
      scene.layout.subscribe(ask),
      scene.selection.subscribe(ask),
      scene.found.subscribe(ask),
      scene.held.subscribe(ask),
      scene.drag.subscribe(ask),
      scene.session.state.subscribe(ask),
      watchTheme(() => {
        this.palette = readPalette(canvas.parentElement!)
        this.ask()
      }),
    ]
    this.ask()
  }

  close(): void {
    for (const stop of this.stops) stop()
    cancelAnimationFrame(this.frame)
    clearTimeout(this.wanting)
    clearTimeout(this.resting)
    this.frame = 0
  }

  private ask(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw())
  }

  private draw(): void {
    this.frame = 0
    const { scene, palette } = this
    const place = scene.layout.get()
    const { size } = scene.viewport
    if (place === undefined || size.width === 0) return
    const layout = scene.motion.drawn(place)
    const context = this.prepare(size)
    const camera = scene.viewport.camera.get()
    const { tree } = scene.session
    const visible = scene.visible()
    scene.updateNear()
    const detail = detailAt(camera.scale)
    const frame: Frame = {
      context,
      layout,
      tree,
      camera,
      size,
      detail,
      palette,
      marks: this.marks(),
      covered: new Set(scene.near.get().boxes),
      visible,
      textOf: (box) => lineOf(scene.session, tree.ids[layout.boxes.first[box]!]!) ?? '',
      labelOf: (box) => scene.session.node(tree.ids[layout.boxes.first[box]!]!)?.metadata?.labels?.[0] ?? '',
    }
    drawTree(frame)
    this.moveLayer(camera)
    this.wantSoon(frame)
    this.goOnMoving(place)
  }

  /** The canvas has the pixels of the screen, whatever the page calls a pixel. */
  private prepare({ width, height }: Size): CanvasRenderingContext2D {
    const ratio = devicePixelRatio
    const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (this.canvas.width !== wide || this.canvas.height !== tall) {
      this.canvas.width = wide
      this.canvas.height = tall
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0)
    return this.context
  }

  private marks(): Marks {
    const { scene } = this
    const layout = scene.layout.get()!
    const { tree } = scene.session
    const found = scene.found.get()
    const boxOf = (id: string): number => boxFor(layout, tree, tree.place(id))
    return {
      focus: scene.focusBox(),
      selected: new Set(scene.selection.get().ids.size > 1 ? selectedBoxes(scene) : []),
      found: found.state === 'there' ? new Set(found.ids.map(boxOf)) : undefined,
      held: boxOf(scene.drag.get()?.sourceId ?? scene.held.get() ?? ''),
    }
  }

  /** The elements go along as one, relative to a point near the camera. */
  private moveLayer(camera: Camera): void {
    const { origin } = this.scene.near.get()
    const x = (origin.x - camera.x) * camera.scale
    const y = (origin.y - camera.y) * camera.scale
    const { style } = this.layer
    style.transform = `translate(${x}px, ${y}px) scale(${camera.scale})`
    if (camera.scale === this.scale) return
    // While it zooms the texts are scaled as they are, and drawn sharp again when it rests.
    this.scale = camera.scale
    style.willChange = 'transform'
    clearTimeout(this.resting)
    this.resting = setTimeout(() => {
      style.willChange = ''
    }, REST_MS)
  }

  /** The last time all of them are brought to their places. */
  private goOnMoving(layout: Layout): void {
    const isMoving = this.scene.motion.isUnderWay(layout)
    if (isMoving || this.isMoving) moveCards(this.scene, this.layer)
    this.isMoving = isMoving
    if (isMoving) this.ask()
  }

  /** What can be seen now is asked for once one has stopped moving. */
  private wantSoon({ visible, layout, tree, detail }: Frame): void {
    clearTimeout(this.wanting)
    this.wanting = setTimeout(() => {
      const isWanted = (box: number): boolean =>
        detail !== 'far' || (layout.boxes.flags[box]! & NodeFlag.labelled) !== 0
      const boxes = visible.filter(isWanted).slice(0, MOST_WANTED)
      const ids = boxes.map((box) => tree.ids[layout.boxes.first[box]!]!)
      const isWhole = detail !== 'middle' && boxes.length <= MAX_NEAR
      const labelled = boxes.filter((box) => (layout.boxes.flags[box]! & NodeFlag.labelled) !== 0)
      if (isWhole) this.scene.session.want(ids)
      else {
        this.scene.session.want(labelled.slice(0, MAX_NEAR).map((box) => tree.ids[layout.boxes.first[box]!]!))
        this.scene.session.want(ids, 'skeleton')
      }
    }, WANT_AFTER_MS)
  }
}
