import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Entry, EntryId } from '../entry/entry.ts'
import { kindOf } from '../entry/kind.ts'
import type { AgentMessage } from '../entry/message.ts'
import { runSteps } from '../steps.ts'
import { contextAt, type LoadedLog, loadLog } from '../testing/load-log.ts'
import { detectDialect } from './detect-dialect.ts'
import type { Dialect } from './dialect.ts'
import type { ContextProblem } from './problem.ts'
import { selectPath } from './selection.ts'

/** One law each, a few lines, written by hand: see `law` in the expected file. Fields that are absent are not checked. */
interface Expected {
  readonly law: string
  readonly detected?: Dialect
  readonly header?: unknown
  readonly leafId?: EntryId
  readonly entryIds?: readonly EntryId[]
  readonly chained?: boolean
  readonly absent?: readonly string[]
  readonly damaged?: number
  readonly labels?: unknown
  readonly name?: string
  readonly contexts: readonly ExpectedContext[]
}

interface ExpectedContext {
  /** Absent: the log's own leaf. */
  readonly leaf?: EntryId | null
  /** For logs whose ids are derived. */
  readonly leafIndex?: number
  readonly dialect?: Dialect
  /** `role: text`, or the message itself where all of it matters. */
  readonly messages: readonly (string | object)[]
  readonly sources?: readonly EntryId[]
  readonly problems?: readonly string[]
  readonly verdicts?: readonly string[]
  /** `models` as pairs, for roles that JSON.parse would not keep as plain keys. */
  readonly roles?: readonly (readonly [string, string])[]
  readonly without?: readonly string[]
  readonly [state: string]: unknown
}

const FOLDER = join(import.meta.dirname, '../../fixtures')
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length))

describe.each(names)('%s', (name) => {
  const expected: Expected = JSON.parse(readFileSync(join(FOLDER, `${name}.expected.json`), 'utf8'))
  const log = loadLog(readFileSync(join(FOLDER, `${name}.jsonl`)))

  test(expected.law, () => {
    if (expected.header) expect(log.header).toEqual(expected.header)
    if (expected.leafId) expect(log.leafId).toBe(expected.leafId)
    if (expected.entryIds) expect(log.entries.map((entry) => entry.id)).toEqual(expected.entryIds)
    if (expected.chained) expect(log.path(log.leafId).length).toBe(log.entries.length)
    for (const key of expected.absent ?? []) expect(log.entries.every((entry) => !(key in entry))).toBe(true)
    expect(log.damaged).toBe(expected.damaged ?? 0)
    expect(log.labels).toEqual(expected.labels ?? {})
    expect(log.name).toBe(expected.name)
    const detected = detectDialect(log.header, log.titleSlot, log.entries.map(kindOfEntry))
    if (expected.detected) expect(detected).toBe(expected.detected)
  })

  test.each(expected.contexts.map((context, index) => [index, context] as const))('context %i', (_, context) => {
    checkContext(log, context)
  })
})

function checkContext(log: LoadedLog, expected: ExpectedContext): void {
  const {
    leaf,
    leafIndex,
    dialect = 'treeline',
    messages,
    sources,
    problems,
    verdicts,
    roles,
    without,
    ...state
  } = expected
  const leafId = leafIndex === undefined ? (leaf === undefined ? log.leafId : leaf) : log.entries[leafIndex]!.id
  const context = contextAt(log, leafId, dialect)
  expect(context.messages.map((message, index) => describeLike(messages[index], message))).toEqual(messages)
  expect(context.sources.length).toBe(context.messages.length)
  if (sources) expect(context.sources.map((source) => source.entryId)).toEqual(sources)
  expect(context.problems.map(describeProblem)).toEqual(problems ?? [])
  if (roles) expect(Object.entries(context.models)).toEqual(roles)
  for (const key of without ?? []) expect(context).not.toHaveProperty(key)
  expect(context).toMatchObject(state)
  if (!verdicts) return
  const path = log.path(leafId)
  const { verdictAt } = runSteps(selectPath(path, { dialect }), path.read)
  expect(Array.from({ length: path.length }, (_, position) => verdictAt(position))).toEqual(verdicts)
}

function kindOfEntry({ type, customType }: Entry) {
  return kindOf(type, customType)
}

function describeProblem({ entryId, reason }: ContextProblem): string {
  return `${entryId} ${reason}`
}

function describeLike(expected: string | object | undefined, message: AgentMessage): string | object {
  if (typeof expected === 'object') return message
  const content = 'content' in message ? message.content : 'summary' in message ? message.summary : undefined
  const text = Array.isArray(content) ? content.map((block) => ('text' in block ? block.text : '')).join('') : content
  return `${message.role}: ${text}`
}
