import fc from 'fast-check'

const AT = '2026-01-01T00:00:00.000Z'
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__', '../x', '')
const place = fc.record({ id, parentId: fc.oneof(id, fc.constant(null), fc.constant(undefined)) })
const op = fc.oneof(
  fc.record({ op: fc.constantFrom('mute', 'unmute', 'restore'), nodeIds: fc.array(id, { maxLength: 3 }) }),
  fc.record({
    op: fc.constant('delete'),
    nodeIds: fc.array(id, { maxLength: 2 }),
    how: fc.constantFrom('splice', 'subtree'),
  }),
  fc.record({ op: fc.constant('prune'), nodeId: id, include: fc.constantFrom('self', 'descendants') }),
  fc.record({ op: fc.constant('graft'), sourceId: id, targetId: fc.option(id), mode: fc.constant('move') }),
  fc.record({
    op: fc.constant('graft'),
    sourceId: id,
    targetId: id,
    mode: fc.constant('copy'),
    idMap: fc.dictionary(id, id),
  }),
  fc.record({ op: fc.constant('leaf'), leafId: fc.option(id) }),
)
const body = fc.oneof(
  fc
    .constantFrom('user', 'assistant', 'toolResult')
    .map((role) => ({ type: 'message', message: { role, content: [] } })),
  fc.constantFrom('model_change', 'reset_boundary', 'usage', 'unheard-of').map((type) => ({ type })),
  fc.record({ type: fc.constant('label'), targetId: id, label: fc.option(fc.string(), { nil: undefined }) }),
  fc.record({ type: fc.constant('compaction'), summary: fc.string(), firstKeptEntryId: id }),
  fc.record({ type: fc.constant('session_info'), name: fc.string() }),
  fc.record({ nodeId: id }).map((data) => ({ type: 'custom', customType: 'treeline/generation', data })),
  fc
    .array(op, { maxLength: 3 })
    .map((ops) => ({ type: 'custom', customType: 'treeline/edit', data: { ops, inverse: [] } })),
)
/** A line of a log as nobody should write it: ids twice or unusable, parents anywhere, edits of what is not there. */
export const hostileLine = fc.tuple(place, body).map(([head, rest]) => ({ ...head, timestamp: AT, ...rest }))
