import type { Layout } from '../../layout/lay-out.ts'
import type { TreeModel } from '../../state/tree-model.ts'
import type { Camera, Detail, Size } from '../camera.ts'
import type { Palette } from './palette.ts'

/** Boxes that are drawn otherwise than the rest. */
export interface Marks {
  readonly focus: number
  readonly selected: ReadonlySet<number>
  /** What was looked for; all others are dimmed. `undefined` when nothing was. */
  readonly found: ReadonlySet<number> | undefined
  /** What was cut out to be put elsewhere, or is being dragged. */
  readonly held: number
}

/** All that a picture is made from. */
export interface Frame {
  readonly context: CanvasRenderingContext2D
  readonly layout: Layout
  readonly tree: TreeModel
  readonly camera: Camera
  readonly size: Size
  readonly detail: Detail
  readonly palette: Palette
  readonly marks: Marks
  /** Boxes over which an element stands, with their words. */
  readonly covered: ReadonlySet<number>
  /** Boxes on screen. */
  readonly visible: readonly number[]
  /** One line to know a box by. */
  readonly textOf: (box: number) => string
  /** What somebody called a node; '' for most. */
  readonly labelOf: (box: number) => string
}

/** How far from the left edge of a box the line to it goes. */
export const STEM = 24

export function xOn({ camera }: Frame, x: number): number {
  return (x - camera.x) * camera.scale
}

export function yOn({ camera }: Frame, y: number): number {
  return (y - camera.y) * camera.scale
}

export function isDimmed({ marks }: Frame, box: number): boolean {
  return marks.found !== undefined && !marks.found.has(box)
}
