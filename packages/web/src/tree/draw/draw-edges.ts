import { boxesIn, padded } from '../../layout/hit.ts'
import { viewOf } from '../camera.ts'
import { GAPS } from '../layout-feed.ts'
import { type Frame, STEM, xOn, yOn } from './frame.ts'

const CURVE = 12
/** Lines that leave the screen need not go on for a million pixels. */
const OUTSIDE = 50

/** More lines than this are a surface. */
const MOST_EDGES = 4_000

/** The lines between boxes: first those of branches, over them the trunk. */
export function drawEdges(frame: Frame): void {
  const { context, palette, camera, detail } = frame
  // Where gaps are no wider than a line there is nothing to see between boxes.
  if (GAPS.below * camera.scale < 1.5 || frame.visible.length > MOST_EDGES) return
  const branches = new Path2D()
  const trunk = new Path2D()
  addFans(frame, branches)
  for (const box of frame.visible) addEdge(frame, box, branches, trunk)
  context.lineWidth = detail === 'far' ? 1 : Math.max(1, 1.5 * camera.scale)
  context.strokeStyle = detail === 'far' ? palette.edge : palette.edgeStrong
  context.stroke(branches)
  context.lineWidth = detail === 'far' ? 2 : Math.max(2, 3.5 * camera.scale)
  context.strokeStyle = palette.accent
  context.stroke(trunk)
}

function addEdge(frame: Frame, box: number, branches: Path2D, trunk: Path2D): void {
  const { boxes, index } = frame.layout
  const { x, y } = index.rects
  const above = boxes.parent[box]!
  if (above < 0) return
  const isStraight = x[box] === x[above]
  const path = isStraight && boxes.onTrunk[box] === 1 && boxes.onTrunk[above] === 1 ? trunk : branches
  const stem = xOn(frame, x[box]! + STEM)
  const end = yOn(frame, y[box]!)
  if (isStraight) path.moveTo(stem, yOn(frame, y[box]! - GAPS.below))
  else {
    const curve = CURVE * frame.camera.scale
    const middle = yOn(frame, y[box]! - GAPS.below / 2)
    path.moveTo(stem - curve, middle)
    path.quadraticCurveTo(stem, middle, stem, middle + curve)
  }
  path.lineTo(stem, end)
}

function addFans(frame: Frame, path: Path2D): void {
  const { layout, camera, size } = frame
  const { fans, index } = layout
  const { x, y, height } = index.rects
  for (const fan of boxesIn(fans.index, padded(viewOf(camera, size), GAPS.below))) {
    const owner = fans.owner[fan]!
    const line = yOn(frame, y[owner]! + height[owner]! + GAPS.below / 2)
    const end = xOn(frame, x[fans.last[fan]!]! + STEM - CURVE)
    path.moveTo(Math.max(-OUTSIDE, xOn(frame, x[owner]! + STEM)), line)
    path.lineTo(Math.min(size.width + OUTSIDE, end), line)
  }
}
