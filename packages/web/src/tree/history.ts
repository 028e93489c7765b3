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

/** Edits, the latest first. Messages are no edits: they are in the tree. */
export function listEdits(events: readonly DurableEvent[]): readonly HistoryItem[] {
  const items = new Map<string, HistoryItem>()
  const takenBack = new Map<string, { readonly key: string; readonly isUndone: boolean }>()
  for (const event of events) {
    const told = tellOf(event)
    if (told === undefined) continue
    const { opId, undoes, actor = '' } = event.cause ?? {}
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
    items.set(key, { key, opId, ...told, by: actor, at: event.ts, isUndone: false })
  }
  return [...items.values()].reverse()
}

function tellOf(event: DurableEvent): Pick<HistoryItem, 'text' | 'nodeId'> | undefined {
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
      if (event.reason !== 'user' || event.previous === event.activeLeafId) return undefined
      return { text: t('Switched the trunk'), nodeId: event.activeLeafId ?? undefined }
    default:
      return undefined
  }
}
