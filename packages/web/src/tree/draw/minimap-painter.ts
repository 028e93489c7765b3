import { BoxKind } from '../../layout/boxes.ts'
import type { Rect } from '../../layout/hit.ts'
import type { Layout } from '../../layout/lay-out.ts'
import { centredOn } from '../camera.ts'
import type { TreeScene } from '../scene.ts'
import { type Palette, readPalette, watchTheme } from './palette.ts'

const WIDTH = 184
const HEIGHT = 128
const MARGIN = 6
/** A small tree is not blown up. */
const MAX_SCALE = 0.12

/** Draws the tree once per layout into a bitmap, and per frame only the frame of what is on screen. */
export class MinimapPainter {
  private readonly scene: TreeScene
  private readonly canvas: HTMLCanvasElement
  private readonly bitmap = document.createElement('canvas')
  private palette: Palette
  private drawn: Layout | undefined
  private frame = 0
  private readonly stops: (() => void)[]
  private readonly ends = new AbortController()

  constructor(scene: TreeScene, canvas: HTMLCanvasElement) {
    this.scene = scene
    this.canvas = canvas
    this.palette = readPalette(canvas.parentElement!)
    const ask = (): void => this.ask()
    this.stops = [
      scene.viewport.camera.subscribe(ask),
      scene.layout.subscribe(ask),
      watchTheme(() => {
        this.palette = readPalette(canvas.parentElement!)
        this.drawn = undefined
        this.ask()
      }),
    ]
    const options = { signal: this.ends.signal }
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        canvas.setPointerCapture(event.pointerId)
        this.goTo(event)
      },
      options,
    )
    canvas.addEventListener('pointermove', (event) => event.buttons === 1 && this.goTo(event), options)
    this.ask()
  }

  close(): void {
    for (const stop of this.stops) stop()
    this.ends.abort()
    cancelAnimationFrame(this.frame)
    this.frame = 0
  }

  private ask(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw())
  }

  private draw(): void {
    this.frame = 0
    const layout = this.scene.layout.get()
    if (layout === undefined) return
    const { bounds } = layout.index
    const { left, top, right, bottom } = this.scene.viewport.view
    // Of what is all on screen a map is only in the way.
    const isWhole = bounds.left >= left && bounds.top >= top && bounds.right <= right && bounds.bottom <= bottom
    this.canvas.parentElement!.hidden = isWhole
    if (isWhole) return
    const ratio = devicePixelRatio
    if (this.drawn !== layout) this.drawBitmap(layout, ratio)
    if (this.canvas.width !== this.bitmap.width || this.canvas.height !== this.bitmap.height) {
      this.canvas.width = this.bitmap.width
      this.canvas.height = this.bitmap.height
    }
    const context = this.canvas.getContext('2d')!
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    context.drawImage(this.bitmap, 0, 0)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const { x, y, scaleX, scaleY } = mapping(bounds)
    const rect = [(left - x) * scaleX, (top - y) * scaleY, (right - left) * scaleX, (bottom - top) * scaleY] as const
    context.strokeStyle = this.palette.accent
    context.lineWidth = 1.5
    context.strokeRect(rect[0], rect[1], Math.max(4, rect[2]), Math.max(4, rect[3]))
  }

  private drawBitmap(layout: Layout, ratio: number): void {
    this.drawn = layout
    this.bitmap.width = Math.round(WIDTH * ratio)
    this.bitmap.height = Math.round(HEIGHT * ratio)
    const context = this.bitmap.getContext('2d')!
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const { rects, bounds } = layout.index
    const { boxes } = layout
    const { x, y, scaleX, scaleY } = mapping(bounds)
    const { tree } = this.scene.session
    // One box per pixel is all that can be seen.
    const taken = new Uint8Array(WIDTH * HEIGHT)
    for (const isTrunk of [1, 0]) {
      for (let box = 0; box < boxes.kind.length; box++) {
        if (boxes.onTrunk[box] !== isTrunk) continue
        const left = (rects.x[box]! - x) * scaleX
        const top = (rects.y[box]! - y) * scaleY
        const cell = Math.min(HEIGHT - 1, Math.floor(top)) * WIDTH + Math.min(WIDTH - 1, Math.floor(left))
        if (taken[cell] === 1 && rects.height[box]! * scaleY < 1) continue
        taken[cell] = 1
        const role = tree.role.get(boxes.first[box]!) as 0 | 1 | 2 | 3
        const isNode = boxes.kind[box] === BoxKind.node
        context.fillStyle =
          isTrunk === 1 ? this.palette.accent : isNode ? this.palette.roles[role] : this.palette.edgeStrong
        context.fillRect(left, top, Math.max(1.5, rects.width[box]! * scaleX), Math.max(1, rects.height[box]! * scaleY))
      }
    }
  }

  private goTo(event: PointerEvent): void {
    const layout = this.scene.layout.get()
    if (layout === undefined) return
    const { left, top } = this.canvas.getBoundingClientRect()
    const { x, y, scaleX, scaleY } = mapping(layout.index.bounds)
    const point = { x: x + (event.clientX - left) / scaleX, y: y + (event.clientY - top) / scaleY }
    this.scene.viewport.lookAt(
      centredOn(point, this.scene.viewport.camera.get().scale, this.scene.viewport.size),
      false,
    )
  }
}

/** A tree may be ten thousand times as high as wide: each direction has its own scale. */
function mapping({ left, top, right, bottom }: Rect) {
  const scaleX = Math.min(MAX_SCALE, (WIDTH - 2 * MARGIN) / Math.max(1, right - left))
  const scaleY = Math.min(MAX_SCALE, (HEIGHT - 2 * MARGIN) / Math.max(1, bottom - top))
  const spareX = WIDTH - (right - left) * scaleX
  const spareY = HEIGHT - (bottom - top) * scaleY
  return { x: left - spareX / 2 / scaleX, y: top - spareY / 2 / scaleY, scaleX, scaleY }
}
