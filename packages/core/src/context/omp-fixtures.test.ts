import { describe, expect, test } from 'vitest'
import { contextAt, type LoadedLog, loadLog } from '../testing/load-log.ts'
import { asOmp } from '../testing/project-context.ts'
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

interface OmpExpected {
  readonly openError?: string
  readonly header: unknown
  readonly sessionName?: string
  readonly leafId: string | null
  readonly entryIds: readonly string[]
  readonly context: unknown
}

function contextOf(log: LoadedLog, tool: 'xcsh' | 'omp18') {
  const context = asOmp(contextAt(log, log.leafId, 'omp'))
  return asExpected({ ...context, messages: resolveBlobs(context.messages, tool) })
}

describe.skipIf(!hasShared)(hasShared ? 'oh-my-pi 18.2.3 fixtures' : SKIPPED, () => {
  test.each(listShared('omp18/sessions'))('%s: header with the title of the slot, and context', (name) => {
    const log = loadLog(readShared(`omp18/sessions/${name}.jsonl`))
    const expected = readSharedJson<OmpExpected>(`omp18/sessions/${name}.expected.json`)
    expect(log.titleSlot).toBeDefined()
    expect(log.header).toEqual(expected.header)
    expect(log.header?.title).toBe(expected.sessionName)
    expect(log.leafId).toBe(expected.leafId)
    expect(log.entries.map((entry) => entry.id)).toEqual(expected.entryIds)
    expect(contextOf(log, 'omp18')).toEqual(asFixture(expected.context))
  })
})

/** Files of xcsh as oh-my-pi opens them. */
const XCSH = listShared('xcsh/sessions')
const REFUSED = ['header-corrupt', 'header-id-missing', 'header-id-number']
const EXCEPTIONS = [...REFUSED, 'two-objects-one-line']

describe.skipIf(!hasShared)(hasShared ? 'xcsh files opened by oh-my-pi 18.2.3' : SKIPPED, () => {
  const open = (name: string) => loadLog(readShared(`xcsh/sessions/${name}.jsonl`))
  const expectation = (name: string) => readSharedJson<OmpExpected>(`xcsh/sessions/${name}.expected.omp18.json`)

  test.each(XCSH.filter((name) => !EXCEPTIONS.includes(name)))('%s: the context oh-my-pi computed', (name) => {
    const log = open(name)
    const expected = expectation(name)
    // v1 ids are random in oh-my-pi.
    if (!name.startsWith('migrate-v1')) expect(log.leafId).toBe(expected.leafId)
    expect(contextOf(log, 'xcsh')).toEqual(asFixture(expected.context))
  })

  test.each(REFUSED)('%s: oh-my-pi refuses a damaged header; we still read the entries (I3)', (name) => {
    expect(expectation(name).openError).toMatch(/header is missing or malformed/)
    expect(contextAt(open(name), open(name).leafId, 'omp').messages.length).toBeGreaterThan(0)
  })

  test('two-objects-one-line: oh-my-pi loses the second record of a line; we keep both (X2)', () => {
    const log = open('two-objects-one-line')
    expect(contextAt(log, log.leafId, 'omp').messages.length).toBe(3)
  })
})
