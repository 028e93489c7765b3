import fc from 'fast-check'
import type { Entry } from '../entry/entry.ts'
import { arbitraryEntries } from './arbitrary-log.ts'

const anyId = fc.nat(14).map((n) => `e${n}`)
const ids = fc.array(anyId, { minLength: 1, maxLength: 3 })
const anyOp = fc.oneof(
  fc.record({ op: fc.constantFrom('mute', 'unmute', 'restore', 'added'), nodeIds: ids }),
  fc.record({ op: fc.constant('prune'), nodeId: anyId, include: fc.constantFrom('self', 'descendants') }),
  fc.record({ op: fc.constant('graft'), sourceId: anyId, targetId: fc.option(anyId), insertBetween: fc.boolean() }),
  fc.tuple(anyId, anyId, anyId).map(([sourceId, targetId, id]) => ({
    op: 'graft',
    sourceId,
    targetId,
    mode: 'copy',
    idMap: { [sourceId]: `${id}c` },
  })),
  fc.record({ op: fc.constant('uncopy'), nodeId: anyId.map((id) => `${id}c`) }),
  fc.record({ op: fc.constant('delete'), nodeIds: ids, how: fc.constantFrom('subtree', 'splice') }),
  fc.record({ op: fc.constant('reorder'), parentId: fc.option(anyId), childrenIds: ids }),
  fc.record({ op: fc.constant('leaf'), leafId: fc.option(anyId) }),
  fc.record({ op: fc.constant('label'), nodeId: anyId, label: fc.option(fc.constant('x')) }),
  fc.anything(),
)
const anyEdit = fc.record({
  data: fc.oneof(
    fc.record({ ops: fc.array(anyOp, { maxLength: 3 }), inverse: fc.array(anyOp, { maxLength: 2 }) }),
    fc.record({ ops: fc.array(anyOp, { maxLength: 3 }), inverse: fc.constant([]), undoes: anyId }),
    fc.record({ nodeId: anyId, parentId: anyId }),
    fc.anything(),
  ),
  customType: fc.constantFrom('treeline/edit', 'treeline/edit', 'treeline/generation'),
  id: anyId,
  parentId: fc.option(anyId),
  at: fc.nat(30),
})

/** Lines of any order and origin, with edits and generations among them that name whatever they like. */
export const hostileEntries: fc.Arbitrary<Entry[]> = fc
  .tuple(arbitraryEntries({ wild: true, maxLength: 14 }), fc.array(anyEdit, { maxLength: 8 }))
  .map(([entries, edits]) => {
    const log = [...entries]
    for (const { at, ...fields } of edits) {
      const entry = { type: 'custom', timestamp: '2026-01-01T00:00:00.000Z', ...fields } as Entry
      log.splice(at % (log.length + 1), 0, entry)
    }
    return log
  })
