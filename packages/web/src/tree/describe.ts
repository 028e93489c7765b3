import type { NodeMetadata, Role } from '@treeline/protocol'
import { type Boxes, BoxKind } from '../layout/boxes.ts'
import type { Layout } from '../layout/lay-out.ts'
import { NodeFlag, type TreeModel } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { boxFor, linksOf } from './links.ts'

export function roleName(role: Role): string {
  switch (role) {
    case 'user':
      return t('You')
    case 'assistant':
      return t('Model')
    case 'tool':
      return t('Tool')
    case 'system':
      return t('System')
  }
}

/** Of a node that nobody said and that stands for others. */
export function kindName(kind: NodeMetadata['kind']): string | undefined {
  switch (kind) {
    case 'compaction':
    case 'branch_summary':
      return t('Summary')
    case 'merge':
      return t('Merged')
    default:
      return undefined
  }
}

export function countMessages(count: number): string {
  return count === 1 ? t('1 message') : t('{count} messages', { count })
}

/** What a box that is no single node stands for. */
export function describeBox({ kind, nodes, ends }: Boxes, box: number): string {
  const messages = countMessages(nodes[box]!)
  switch (kind[box]) {
    case BoxKind.branch:
      return ends[box]! > 1 ? t('{messages}, {ends} ends', { messages, ends: ends[box]! }) : messages
    case BoxKind.more:
      return t('{count} more branches, {messages}', { count: ends[box]!, messages })
    default:
      return messages
  }
}

/** What a box is, in a sentence, for who cannot see it. */
export function announce(layout: Layout, tree: TreeModel, place: number, text: string): string {
  const box = boxFor(layout, tree, place)
  if (box < 0) return ''
  const { boxes } = layout
  const isNode = boxes.kind[box] === BoxKind.node
  const said = isNode
    ? [roleName(tree.roleOf(place)), siblingText(tree, place), text.slice(0, 120)]
    : [kindText(layout, box), describeBox(boxes, box), text.slice(0, 80)]
  return [...said, ...stateTexts(boxes, box)].filter((part) => part !== '').join(', ')
}

function kindText(layout: Layout, box: number): string {
  const { boxes } = layout
  if (boxes.kind[box] === BoxKind.segment) return t('Contracted')
  if (boxes.parent[box] === -2) return t('In the stash')
  const { previous, next } = linksOf(layout)
  let index = 1
  for (let at = previous[box]!; at >= 0; at = previous[at]!) index++
  let count = index
  for (let at = next[box]!; at >= 0; at = next[at]!) count++
  return t('Branch {index} of {count}', { index, count })
}

function siblingText(tree: TreeModel, place: number): string {
  const siblings = tree.siblingsOf(place)
  if (siblings.length < 2) return ''
  return t('Branch {index} of {count}', { index: siblings.indexOf(place) + 1, count: siblings.length })
}

function stateTexts({ flags, onTrunk, kind, nodes }: Boxes, box: number): readonly string[] {
  const has = (flag: number): boolean => (flags[box]! & flag) !== 0
  const isOne = kind[box] === BoxKind.node && nodes[box] === 1
  return [
    has(NodeFlag.disabled) ? (isOne || kind[box] === BoxKind.segment ? t('muted') : t('partly muted')) : '',
    has(NodeFlag.generating) ? t('being written') : '',
    has(NodeFlag.error) ? t('failed') : '',
    onTrunk[box] === 1 ? t('on the trunk') : '',
    kind[box] === BoxKind.node && nodes[box]! > 1 ? t('closed over {count}', { count: nodes[box]! - 1 }) : '',
  ]
}
