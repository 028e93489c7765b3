import type { ChatMessageNode } from '@treeline/protocol'
import { type Boxes, BoxKind } from '../layout/boxes.ts'
import { NodeFlag } from '../state/tree-model.ts'
import type { TreeScene } from './scene.ts'

/** What the card of a box needs to know. Two that are equal look the same. */
export interface CardProps {
  readonly scene: TreeScene
  readonly id: string
  readonly box: number
  readonly boxes: Boxes
  readonly left: number
  readonly top: number
  readonly flags: number
  readonly node: ChatMessageNode | undefined
  readonly preview: string
  readonly isFocus: boolean
  readonly isSelected: boolean
  readonly isDimmed: boolean
  readonly isHeld: boolean
}

export function cardClass(kind: string, { boxes, box, flags, ...props }: CardProps): string {
  const classes = [
    'tree-card',
    kind,
    boxes.onTrunk[box] === 1 && 'is-trunk',
    (flags & NodeFlag.disabled) !== 0 && boxes.kind[box] !== BoxKind.branch && 'is-muted',
    (flags & NodeFlag.error) !== 0 && 'is-failed',
    (flags & NodeFlag.detached) !== 0 && 'is-stashed',
    props.isFocus && 'is-focus',
    props.isSelected && 'is-selected',
    props.isDimmed && 'is-dimmed',
    props.isHeld && 'is-held',
  ]
  return classes.filter(Boolean).join(' ')
}
