import { BoxKind } from '../../layout/boxes.ts'
import { boxesIn } from '../../layout/hit.ts'
import { NodeFlag } from '../../state/tree-model.ts'
import { toWorld } from '../camera.ts'
import { GAPS } from '../layout-feed.ts'
import { type Frame, isDimmed, xOn, yOn } from './frame.ts'

/** Boxes smaller than this share pixels: one of them is drawn. */
const CELL = 2
const LABEL_FONT = '600 12px system-ui, sans-serif'
const MAX_LABELS = 80
/** Nodes as high as that on screen are looked at themselves; of smaller ones a name may cover some. */
const SEEN_HEIGHT = 8

/** From afar: shapes in the colours of who speaks, the trunk above all, and what somebody gave a name to. */
export function drawFar(frame: Frame): void {
  const { context, palette, layout } = frame
  const { x, y, width, height } = layout.index.rects
  const { scale } = frame.camera
  drawRibbon(frame)
  for (const [colour, boxes] of groupByColour(frame)) {
    context.fillStyle = colour
    // One by one: of a path with thousands of parts the browser would have to find the outline.
    for (const box of boxes) {
      const wide = Math.max(1, width[box]! * scale)
      context.fillRect(xOn(frame, x[box]!), yOn(frame, y[box]!), wide, Math.max(1, height[box]! * scale))
    }
  }
  context.strokeStyle = palette.accent
  outlineMarks(frame)
  drawLabels(frame)
}

/** The trunk has the pixels first. */
function groupByColour(frame: Frame): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  const isFree = createGrid(frame)
  const { onTrunk } = frame.layout.boxes
  for (const isTrunk of [1, 0]) {
    for (const box of frame.visible) {
      if (onTrunk[box] !== isTrunk || !isFree(box)) continue
      const colour = colourOf(frame, box)
      const group = groups.get(colour)
      if (group === undefined) groups.set(colour, [box])
      else group.push(box)
    }
  }
  return groups
}

/** The trunk goes through all of it as one band. */
function drawRibbon(frame: Frame): void {
  const { context, palette, layout, camera } = frame
  const { x, y, width, height } = layout.index.rects
  const wider = Math.max(2, 20 * camera.scale)
  context.fillStyle = palette.accentSoft
  let drawnTo = Number.NEGATIVE_INFINITY
  for (const box of frame.visible) {
    if (layout.boxes.onTrunk[box] !== 1) continue
    const bottom = yOn(frame, y[box]! + height[box]!) + wider
    // What ends on the same pixel is there already.
    if (Math.abs(bottom - drawnTo) < 1) continue
    drawnTo = bottom
    const top = yOn(frame, y[box]! - GAPS.below) - wider
    context.fillRect(xOn(frame, x[box]!) - wider, top, width[box]! * camera.scale + 2 * wider, bottom - top)
  }
}

function colourOf(frame: Frame, box: number): string {
  const { palette, layout, tree } = frame
  const { boxes } = layout
  if (isDimmed(frame, box)) return palette.edge
  if (frame.marks.found !== undefined) return palette.accent
  if ((boxes.flags[box]! & NodeFlag.error) !== 0) return palette.danger
  if ((boxes.flags[box]! & NodeFlag.disabled) !== 0) return palette.edge
  if (boxes.kind[box] === BoxKind.branch || boxes.kind[box] === BoxKind.more) return palette.edgeStrong
  if (boxes.kind[box] === BoxKind.segment) return boxes.onTrunk[box] === 1 ? palette.accent : palette.inkSoft
  return palette.roles[tree.role.get(boxes.first[box]!) as 0 | 1 | 2 | 3]
}

/** Where boxes are smaller than a cell, whether its cell is still empty. */
function createGrid(frame: Frame): (box: number) => boolean {
  const { size, camera, layout } = frame
  const { x, y, width, height } = layout.index.rects
  const columns = Math.ceil(size.width / CELL) + 1
  const taken = new Uint8Array(columns * (Math.ceil(size.height / CELL) + 1))
  return (box) => {
    if (width[box]! * camera.scale >= CELL && height[box]! * camera.scale >= CELL) return true
    const column = Math.floor(Math.max(0, xOn(frame, x[box]!)) / CELL)
    const row = Math.floor(Math.max(0, yOn(frame, y[box]!)) / CELL)
    const cell = row * columns + Math.min(column, columns - 1)
    if (taken[cell] === 1) return false
    taken[cell] = 1
    return true
  }
}

function outlineMarks(frame: Frame): void {
  const { context, marks, layout } = frame
  const { x, y, width, height } = layout.index.rects
  const { scale } = frame.camera
  context.lineWidth = 2
  for (const box of new Set([...marks.selected, marks.focus])) {
    if (box < 0) continue
    const w = Math.max(6, width[box]! * scale + 6)
    const h = Math.max(6, height[box]! * scale + 6)
    context.strokeRect(xOn(frame, x[box]!) - 3, yOn(frame, y[box]!) - 3, w, h)
  }
}

/** Names stay as large as they are, and stand neither on each other nor on nodes that can be seen. */
function drawLabels(frame: Frame): void {
  const { context, palette, layout, camera } = frame
  const { x, y, width, height } = layout.index.rects
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  const taken: Room[] = []
  for (const box of frame.visible) {
    if (taken.length >= MAX_LABELS) return
    if ((layout.boxes.flags[box]! & NodeFlag.labelled) === 0) continue
    const label = frame.labelOf(box)
    if (label === '') continue
    const left = xOn(frame, x[box]! + width[box]!) + 6
    const at = yOn(frame, y[box]!) + (height[box]! * camera.scale) / 2
    const right = left + context.measureText(label).width + 8
    if (taken.some((one) => Math.abs(one.at - at) < 16 && one.left < right && left < one.right)) continue
    if (height[box]! * camera.scale >= SEEN_HEIGHT && isOnNodes(frame, { left, right, at })) continue
    taken.push({ left, right, at })
    context.fillStyle = palette.ground
    context.fillRect(left - 2, at - 8, right - left, 16)
    context.fillStyle = palette.ink
    context.fillText(label, left, at)
  }
}

interface Room {
  readonly left: number
  readonly right: number
  readonly at: number
}

function isOnNodes({ camera, layout }: Frame, { left, right, at }: Room): boolean {
  const from = toWorld(camera, { x: left, y: at - 8 })
  const to = toWorld(camera, { x: right, y: at + 8 })
  return boxesIn(layout.index, { left: from.x, top: from.y, right: to.x, bottom: to.y }).length > 0
}
