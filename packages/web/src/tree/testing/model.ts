import { type ChatMessageNode, type DurableEvent, packColumns } from '@treeline/protocol'
import { TreeModel } from '../../state/tree-model.ts'

/** A tree from parents by id, in the order of their coming. */
export function grow(parents: Readonly<Record<string, string | null>>, leaf: string | null): TreeModel {
  const ids = Object.keys(parents)
  const parent = ids.map((id) => (parents[id] === null ? -1 : ids.indexOf(parents[id]!)))
  return new TreeModel({
    rootNodeIds: ids.filter((id) => parents[id] === null),
    activeLeafId: leaf,
    fragments: [],
    columns: packColumns({
      id: ids,
      parent,
      role: ids.map((_, at) => 1 + (at % 2)),
      flags: ids.map(() => 0),
      time: ids.map((_, at) => at),
      reordered: {},
    }),
  })
}

export function node(id: string, parentId: string | null, childrenIds: string[] = []): ChatMessageNode {
  return {
    id,
    parentId,
    childrenIds,
    content: `says ${id}`,
    role: 'user',
    status: 'complete',
    isEnabled: true,
    timestamp: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    contentLength: 6,
  }
}

type Body = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, 'seq' | 'version' | 'ts' | 'sessionId'>
    : never
  : never

export function event(body: Body): DurableEvent {
  return { seq: 1, version: 1, ts: '2026-01-01T00:00:00.000Z', sessionId: 's', ...body } as DurableEvent
}
