import { BoxKind } from '../../layout/boxes.ts'
import { NodeFlag } from '../../state/tree-model.ts'
import { t } from '../../words/language.ts'
import { describeBox, roleName } from '../describe.ts'
import { cutText } from './cut-text.ts'
import { type Frame, isDimmed, xOn, yOn } from './frame.ts'

const FONT = 'system-ui, sans-serif'
const RADIUS = 8

/** Boxes with who speaks and the first words. Near, elements stand over them, and this is what one sees before those. */
export function drawBoxes(frame: Frame): void {
  const { context } = frame
  context.textBaseline = 'middle'
  for (const box of frame.visible) {
    context.globalAlpha = isDimmed(frame, box) ? 0.35 : 1
    drawBox(frame, box)
  }
  context.globalAlpha = 1
}

function drawBox(frame: Frame, box: number): void {
  const { context, palette, layout, marks, camera } = frame
  const { boxes, index } = layout
  const { scale } = camera
  const left = xOn(frame, index.rects.x[box]!)
  const top = yOn(frame, index.rects.y[box]!)
  const width = index.rects.width[box]! * scale
  const height = index.rects.height[box]! * scale
  const isMuted = (boxes.flags[box]! & NodeFlag.disabled) !== 0 && boxes.kind[box] !== BoxKind.branch
  const isMarked = box === marks.focus || marks.selected.has(box)
  context.beginPath()
  context.roundRect(left, top, width, height, RADIUS * scale)
  context.fillStyle = marks.selected.has(box) ? palette.accentSoft : isMuted ? palette.sunken : palette.raised
  context.fill()
  context.strokeStyle = edgeColour(frame, box, isMarked)
  context.lineWidth = isMarked ? 2.5 : boxes.onTrunk[box] === 1 ? 2 : 1
  // Muted is a broken line, so that nobody needs the colour to see it.
  context.setLineDash(isMuted || box === marks.held ? [4, 3] : [])
  // Two broken lines on each other are a muddle.
  if (!isMuted || !frame.covered.has(box)) context.stroke()
  context.setLineDash([])
  if (boxes.kind[box] === BoxKind.node) {
    context.fillStyle = palette.roles[frame.tree.role.get(boxes.first[box]!) as 0 | 1 | 2 | 3]
    context.fillRect(left + 1, top + RADIUS * scale, Math.max(2, 4 * scale), Math.max(1, height - 2 * RADIUS * scale))
  }
  if (width > 44 && !frame.covered.has(box))
    drawWords(frame, box, { left: left + 5 + 5 * scale, top, width: width - 10 - 5 * scale, height })
}

function edgeColour({ palette, layout }: Frame, box: number, isMarked: boolean): string {
  if (isMarked) return palette.accent
  if ((layout.boxes.flags[box]! & NodeFlag.error) !== 0) return palette.danger
  return layout.boxes.onTrunk[box] === 1 ? palette.accent : palette.edgeStrong
}

interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function drawWords(frame: Frame, box: number, { left, top, width, height }: Area): void {
  const { context, palette, layout, camera, tree } = frame
  const { boxes } = layout
  const size = Math.max(10, Math.min(14, 14 * camera.scale * 1.4))
  const line = size * 1.35
  const isNode = boxes.kind[box] === BoxKind.node
  const title = isNode ? headOf(frame, box) : describeBox(boxes, box)
  const role = tree.role.get(boxes.first[box]!) as 0 | 1 | 2 | 3
  const lines = Math.max(1, Math.floor((height - 4) / line))
  const isLabelled = (boxes.flags[box]! & NodeFlag.labelled) !== 0 && frame.labelOf(box) !== ''
  const shown = lines === 1 && isNode && !isLabelled ? '' : title
  let y = top + Math.min(height / 2, line * 0.5 + Math.max(3, (height - lines * line) / 2))
  if (shown !== '') {
    context.font = `600 ${size}px ${FONT}`
    context.fillStyle = isNode ? palette.roles[role] : palette.inkSoft
    context.fillText(cutText(shown, width, size), left, y, width)
    y += line
  }
  if (y > top + height - line * 0.3) return
  context.font = `${size}px ${FONT}`
  context.fillStyle = isNode ? palette.ink : palette.inkSoft
  let rest = frame.textOf(box)
  for (let at = shown === '' ? 0 : 1; at < lines && rest !== '' && at < 4; at++) {
    const isLast = at === lines - 1 || at === 3
    const part = cutText(rest, width, size, isLast)
    context.fillText(part, left, y, width)
    rest = isLast ? '' : rest.slice(part.length).trimStart()
    y += line
  }
}

function headOf({ layout, tree, labelOf }: Frame, box: number): string {
  const flags = layout.boxes.flags[box]!
  const label = (flags & NodeFlag.labelled) === 0 ? '' : labelOf(box)
  if (label !== '') return `⚑ ${label}`
  const role = roleName(tree.roleOf(layout.boxes.first[box]!))
  if ((flags & NodeFlag.generating) !== 0) return `${role} …`
  if ((flags & NodeFlag.disabled) !== 0) return `${role} · ${t('muted')}`
  return (flags & NodeFlag.error) !== 0 ? `${role} · ${t('failed')}` : role
}
