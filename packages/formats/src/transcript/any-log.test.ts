import { attachedNodes } from '@treeline/core'
import { openFileStore, type Session } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlWriter } from '../html/write.ts'
import { jsonWriter } from '../json/write.ts'
import { jsonlWriter } from '../jsonl/write.ts'
import { markdownWriter } from '../markdown/write.ts'
import { writeWhole } from '../testing/rich-session.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'

const WRITERS = [htmlWriter, jsonWriter, jsonlWriter, markdownWriter]

/** Lines of another tool, or of nobody: right types in wrong places, missing fields, any value anywhere. */
const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', '', '</script>')
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }), fc.constant('blob:sha256:00'))
const block = fc.record(
  {
    type: fc.constantFrom('text', 'thinking', 'toolCall', 'image', 'redactedThinking', 'later'),
    text: value,
    thinking: value,
    name: value,
    arguments: value,
    data: value,
    mimeType: value,
  },
  { requiredKeys: ['type'] },
)
const message = fc.record(
  {
    role: fc.oneof(
      fc.constantFrom('user', 'assistant', 'toolResult', 'system', 'bashExecution', 'fileMention', 'custom'),
      value,
    ),
    content: fc.oneof(value, fc.array(fc.oneof(block, value), { maxLength: 4 })),
    ...{ model: value, errorMessage: value, toolName: value, files: value, command: value, sections: value },
  },
  { requiredKeys: [] },
)
const line = fc.record(
  {
    type: fc.constantFrom(
      'message',
      'compaction',
      'branch_summary',
      'custom_message',
      'label',
      'custom',
      'session_info',
    ),
    id: fc.oneof(id, value),
    parentId: fc.oneof(id, value, fc.constant(null)),
    timestamp: fc.oneof(fc.constant('2026-01-01T00:00:00.000Z'), value),
    message: fc.oneof(message, value),
    ...{
      summary: value,
      content: value,
      customType: value,
      label: value,
      targetId: id,
      name: value,
      treelineFull: value,
    },
  },
  { requiredKeys: ['type'] },
)
const header = fc.record(
  {
    type: fc.constant('session'),
    version: fc.constantFrom(1, 2, 3),
    id: fc.constant('s1'),
    timestamp: value,
    cwd: value,
    title: value,
  },
  { requiredKeys: ['type', 'id'] },
)

test('G1 every writer survives any log and writes a file of its kind', async () => {
  using folder = makeTempFolder()
  await using store = await openFileStore({ home: folder.home })
  let count = 0
  await fc.assert(
    fc.asyncProperty(header, fc.array(line, { maxLength: 12 }), fc.boolean(), async (first, lines, redact) => {
      await using session = await store.openPath(folder.plant(`${count++}.jsonl`, first, ...lines), { readOnly: true })
      for (const branches of ['all', 'trunk'] as const) {
        const [html, json, jsonl] = await Promise.all(
          WRITERS.map(async (writer) => (await writeWhole(writer, session, { redact, branches })).text),
        )
        expect(html!.match(/<script\b[^>]*>/g)!.filter((tag) => tag === '<script>')).toHaveLength(1)
        JSON.parse(json!)
        for (const one of jsonl!.trimEnd().split('\n')) JSON.parse(one)
      }
    }),
    { numRuns: 60 },
  )
})

const look = ({ tree, leafId, name }: Session) => ({
  nodes: Array.from(attachedNodes(tree), (ref) => [tree.ids.textOf(ref), tree.ids.textOf(tree.columns.parent[ref]!)]),
  labels: [...tree.edits.labels].map(([target, { label }]) => [target, label]),
  leafId,
  name,
})

test('I3 any log, written as one and read again, is the same tree', async () => {
  using folder = makeTempFolder()
  await using store = await openFileStore({ home: folder.home })
  let count = 0
  await fc.assert(
    fc.asyncProperty(header, fc.array(line, { maxLength: 12 }), async (first, lines) => {
      await using session = await store.openPath(folder.plant(`${count++}.jsonl`, first, ...lines), { readOnly: true })
      const { text, notes } = await writeWhole(jsonlWriter, session)
      fc.pre(!notes.some((note) => note.kind === 'damage'))
      await using again = await store.openPath(folder.plant(`${count++}.jsonl`, text), { readOnly: true })
      expect(look(again)).toEqual(look(session))
    }),
    { numRuns: 60 },
  )
})
