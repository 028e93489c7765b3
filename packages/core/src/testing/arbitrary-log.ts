import fc from 'fast-check'
import type { Entry } from '../entry/entry.ts'

const TIME = '2026-01-01T00:00:00.000Z'

const kinds = fc.constantFrom(
  ...['user', 'assistant', 'user', 'assistant', 'toolResult', 'system'],
  ...[
    'model_change',
    'label',
    'session_info',
    'compaction',
    'branch_summary',
    'custom_message',
    'custom',
    'generation',
  ],
)

/**
 * Entries in log order: mostly each under an earlier one; now and then a missing, later or own parent, or an id used
 * twice, when `wild` asks for it.
 */
export function arbitraryEntries(
  options: { readonly wild?: boolean; readonly maxLength?: number } = {},
): fc.Arbitrary<Entry[]> {
  const step = fc.record({
    kind: kinds,
    parent: fc.nat(),
    odd: options.wild ? fc.nat(9) : fc.constant(9),
    finish: fc.boolean(),
  })
  return fc.array(step, { maxLength: options.maxLength ?? 25 }).map((steps) => {
    const ids = steps.map((_, i) => `e${i}`)
    const entries: Entry[] = []
    steps.forEach(({ kind, parent, odd, finish }, i) => {
      const under = i === 0 || parent % 7 === 0 ? null : ids[i - 1 - (parent % Math.min(i, 4))]!
      const parentId = odd === 0 ? 'missing' : odd === 1 ? ids[parent % ids.length]! : odd === 2 ? ids[i]! : under
      const id = odd === 3 ? ids[parent % ids.length]! : ids[i]!
      entries.push(makeEntry(kind, id, parentId))
      if (kind === 'generation' && finish) {
        entries.push(makeEntry('assistant', `n-${id}`, parentId))
      }
    })
    return entries
  })
}

function makeEntry(kind: string, id: string, parentId: string | null): Entry {
  const head = { id, parentId, timestamp: TIME }
  switch (kind) {
    case 'user':
    case 'assistant':
    case 'system':
      return { type: 'message', ...head, message: { role: kind, content: [{ type: 'text', text: id }] } }
    case 'toolResult': {
      const content = [{ type: 'text', text: id }]
      return {
        type: 'message',
        ...head,
        message: { role: kind, toolCallId: id, toolName: 't', content, isError: false },
      }
    }
    case 'model_change':
      return { type: kind, ...head, provider: 'p', modelId: id }
    case 'label':
      return { type: kind, ...head, targetId: parentId ?? id, label: id }
    case 'session_info':
      return { type: kind, ...head, name: id }
    case 'compaction':
      return { type: kind, ...head, summary: id, firstKeptEntryId: parentId ?? id, tokensBefore: 1 }
    case 'branch_summary':
      return { type: kind, ...head, fromId: parentId ?? 'root', summary: id }
    case 'custom_message':
      return { type: kind, ...head, customType: 'x', content: id, display: true }
    case 'generation':
      return {
        type: 'custom',
        ...head,
        customType: 'treeline/generation',
        data: { nodeId: `n-${id}`, parentId, model: 'm' },
      }
    default:
      return { type: 'custom', ...head, customType: 'x', data: {} }
  }
}
