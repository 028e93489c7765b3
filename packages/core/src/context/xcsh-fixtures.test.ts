import { describe, expect, test } from 'vitest'
import { contextAt, type LoadedLog, loadLog } from '../testing/load-log.ts'
import { asXcsh } from '../testing/project-context.ts'
import {
  asExpected,
  asFixture,
  hasShared,
  listShared,
  readShared,
  readSharedJson,
  resolveBlobs,
  SKIPPED,
} from '../testing/shared-fixtures.ts'

interface XcshExpected {
  readonly openError?: string
  readonly fileAfterOpen?: string
  readonly header: unknown
  readonly leafId: string | null
  readonly entryIds: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly context: unknown
  readonly contextsByLeaf: Readonly<Record<string, unknown>>
  readonly contextAtNull: unknown
}

const open = (name: string) => loadLog(readShared(`xcsh/sessions/${name}.jsonl`))
const expectation = (name: string) => readSharedJson<XcshExpected>(`xcsh/sessions/${name}.expected.json`)

function contextOf(log: LoadedLog, leafId: string | null) {
  const context = asXcsh(contextAt(log, leafId, 'xcsh'))
  return asExpected({ ...context, messages: resolveBlobs(context.messages, 'xcsh') })
}

/** xcsh loses data or cannot open these; below, each has a test of its own that says what we do. */
const EXCEPTIONS = new Set([
  'assistant-without-usage',
  'header-corrupt',
  'header-id-missing',
  'header-id-number',
  'two-objects-one-line',
])

describe.skipIf(!hasShared)(hasShared ? 'xcsh 19.54 fixtures' : SKIPPED, () => {
  const names = listShared('xcsh/sessions').filter((name) => !EXCEPTIONS.has(name))

  test.each(names)('%s: every leaf gives the context xcsh computed', (name) => {
    const log = open(name)
    const expected = expectation(name)
    // v1 ids are random in xcsh: entries are told apart by their place.
    expect(log.entries.length).toBe(expected.entryIds.length)
    const ours = new Map(expected.entryIds.map((id, index) => [id, log.entries[index]!.id]))

    expect(log.leafId).toBe(expected.leafId === null ? null : ours.get(expected.leafId))
    expect(contextOf(log, log.leafId)).toEqual(asFixture(expected.context))
    expect(contextOf(log, null)).toEqual(expected.contextAtNull)
    for (const [leafId, context] of Object.entries(expected.contextsByLeaf)) {
      expect(contextOf(log, ours.get(leafId)!)).toEqual(asFixture(context))
    }
  })

  test.each(names)('%s: header and labels', (name) => {
    const log = open(name)
    const expected = expectation(name)
    expect(log.header).toEqual(expected.header)
    expect(log.labels).toEqual(expected.labels)
  })

  const texts = (log: LoadedLog, leafId: string | null) =>
    contextAt(log, leafId, 'treeline').messages.map((message) => ('content' in message ? message.content : undefined))

  test('two-objects-one-line: xcsh loses the second record of a line; we keep both (X2)', () => {
    expect(expectation('two-objects-one-line').entryIds).toEqual(['aaaaaaa1', 'aaaaaaa3'])
    const log = open('two-objects-one-line')
    expect(log.entries.map((entry) => entry.id)).toEqual(['aaaaaaa1', 'aaaaaaa2', 'aaaaaaa3'])
    expect(texts(log, log.leafId)).toEqual(['u1', [{ type: 'text', text: 'a1' }], 'u2'])
  })

  test('assistant-without-usage: xcsh cannot open it; to us usage is optional', () => {
    expect(expectation('assistant-without-usage').openError).toMatch(/^TypeError/)
    const log = open('assistant-without-usage')
    expect(texts(log, log.leafId)).toEqual(['u1', [{ type: 'text', text: 'no usage' }]])
    expect(contextAt(log, log.leafId, 'treeline').models).toEqual({ default: 'p/m' })
  })

  test.each([
    ['header-corrupt', 2],
    ['header-id-missing', 1],
    ['header-id-number', 1],
  ])('%s: xcsh replaces the file by an empty session; we still read the entries (I3)', (name, count) => {
    expect(expectation(name).fileAfterOpen).toMatch(/^\{"type":"session"[^\n]*\n$/)
    const log = open(name)
    expect(log.header).toBeUndefined()
    expect(contextAt(log, log.leafId, 'treeline').messages.length).toBe(count)
  })

  test("old-model-change-format: xcsh ignores Pi's spelling of a model change; treeline reads both (S9)", () => {
    const log = open('old-model-change-format')
    expect(contextAt(log, log.leafId, 'xcsh').models).toEqual({})
    expect(contextAt(log, log.leafId, 'treeline').models).toEqual({ default: 'openai/gpt-4o' })
    expect(contextAt(log, log.leafId, 'treeline').model).toEqual({ provider: 'openai', modelId: 'gpt-4o' })
  })

  test('session-init-subagent: in xcsh an answer overrides the chosen model; in treeline the choice stands (S23)', () => {
    const log = open('session-init-subagent')
    expect(contextAt(log, log.leafId, 'xcsh').models).toEqual({ default: 'anthropic/claude-sonnet-4-5' })
    expect(contextAt(log, log.leafId, 'treeline').models).toEqual({ default: 'anthropic/claude-haiku-4-5' })
  })
})
