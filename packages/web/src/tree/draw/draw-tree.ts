import { drawBoxes } from './draw-boxes.ts'
import { drawEdges } from './draw-edges.ts'
import { drawFar } from './draw-far.ts'
import type { Frame } from './frame.ts'

export function drawTree(frame: Frame): void {
  const { context, size } = frame
  context.clearRect(0, 0, size.width, size.height)
  drawEdges(frame)
  if (frame.detail === 'far') drawFar(frame)
  else drawBoxes(frame)
}
