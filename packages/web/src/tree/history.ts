import type { DurableEvent } from '@treeline/protocol'
import { t } from '../words/language.ts'

/** One edit of the tree, as it is told in the list. */
export interface HistoryItem {
  readonly key: string
  /** By which it can be undone; missing for what was not done by anybody. */
  readonly opId: string | undefined
  readonly text: string
  readonly by: string
  readonly at: string
  /** The node to look at. */
  readonly nodeId: string | undefined
  /** It was taken back and not done again since. */
  readonly isUndone: boolean
}

/** Edits, the latest first. What was said is no edit: it is in the tree. */
export function listEdits(events: readonly DurableEvent[]): readonly HistoryItem[] {
  const items = new Map<string, HistoryItem>()
  const takenBack = new Map<string, { readonly key: string; readonly isUndone: boolean }>()
  let made: Made | undefined
  for (const event of events) {
    const { opId, undoes, actor = '' } = event.cause ?? {}
    made = madeBy(event) ?? made
    // The line after a node that was made of others says by which name that is undone; what it muted goes without saying.
    const told = made !== undefined && made.seq + 1 === event.seq && opId !== undefined ? made : tellOf(event)
    if (told === undefined) continue
    const of = undoes === undefined ? undefined : (takenBack.get(undoes) ?? { key: undoes, isUndone: false })
    const undone = of && items.get(of.key)
    // An undo, and the undo of that, are no edits of their own: they say how it stands with the one they go back to.
    if (of !== undefined && undone !== undefined) {
      const isUndone = !of.isUndone
      if (opId !== undefined) takenBack.set(opId, { key: of.key, isUndone })
      items.set(of.key, { ...undone, isUndone })
      continue
    }
    const key = opId ?? `line ${event.seq}`
    const before = items.get(key)
    // Where an edit has several effects, the first one named it; that the trunk moved along goes without saying.
    if (before !== undefined) {
      if (event.type !== 'active_leaf.updated' && before.text !== told.text) {
        items.set(key, { ...before, text: `${before.text}; ${told.text}` })
      }
      continue
    }
    const { text, nodeId } = told
    items.set(key, { key, opId, text, nodeId, by: actor, at: event.ts, isUndone: false })
  }
  return [...items.values()].reverse()
}

type Told = Pick<HistoryItem, 'text' | 'nodeId'>
type Made = Told & { readonly seq: number }

/** A node that stands for others, which somebody asked for. */
function madeBy(event: DurableEvent): Made | undefined {
  if (event.type !== 'node.created') return undefined
  const { id: nodeId, metadata: { kind, summarizedFrom = [] } = {} } = event.node
  const { seq } = event
  if (kind === 'merge') return { seq, nodeId, text: t('Merged into a new branch') }
  if (kind === 'compaction') return { seq, nodeId, text: t('Compacted') }
  return summarizedFrom.length > 0 ? { seq, nodeId, text: t('Summed up') } : undefined
}

function tellOf(event: DurableEvent): Told | undefined {
  switch (event.type) {
    case 'node.state.updated':
      return { text: event.patch.isEnabled ? t('Unmuted') : t('Muted'), nodeId: event.patch.id }
    case 'nodes.state.updated': {
      const [first] = event.patches
      if (first === undefined) return undefined
      const count = event.patches.length
      const text = first.isEnabled ? t('Unmuted {count}', { count }) : t('Muted {count}', { count })
      return { text, nodeId: first.id }
    }
    case 'node.metadata.updated':
      return { text: t('Labelled, rated or named'), nodeId: event.id }
    case 'tree.pruned':
      return { text: t('Cut off, into the stash'), nodeId: event.fragments[0]?.rootId ?? event.nodeId }
    case 'tree.grafted':
      return { text: event.mode === 'copy' ? t('Copied') : t('Grafted'), nodeId: event.nodes[0]?.id ?? event.sourceId }
    case 'tree.reordered':
      return { text: t('Put into another order'), nodeId: event.parentId ?? undefined }
    case 'nodes.deleted':
      return { text: t('Deleted {count}', { count: event.ids.length }), nodeId: undefined }
    case 'nodes.restored':
      return { text: t('Restored'), nodeId: event.nodes[0]?.id }
    case 'active_leaf.updated':
      // Nobody's is where the server says at the end of what it tells that the trunk is now.
      if (event.reason !== 'user' || event.cause?.opId === undefined) return undefined
      return { text: t('Switched the trunk'), nodeId: event.activeLeafId ?? undefined }
    default:
      return undefined
  }
}
