import { describe, expect, test } from 'vitest'
import { contextAt, loadLog } from '../testing/load-log.ts'
import { asPi } from '../testing/project-context.ts'
import {
  asExpected,
  asFixture,
  hasShared,
  listShared,
  readShared,
  readSharedJson,
  SKIPPED,
  sha256,
} from '../testing/shared-fixtures.ts'

interface Ok<T> {
  readonly ok: T
}
interface PiExpected {
  readonly openError?: string
  readonly header: unknown
  readonly leafId: string | null
  readonly sessionName: string | null
  readonly entryIds: readonly (string | null)[]
  readonly labels: Readonly<Record<string, string>>
  readonly buildSessionContext: Ok<unknown>
  readonly buildSessionProjection: Ok<readonly { readonly id: string; readonly n: number }[]>
  readonly contextNullLeaf: Ok<unknown>
  readonly perLeaf: Readonly<Record<string, Ok<PerLeaf>>>
}
interface PerLeaf {
  readonly branch: readonly string[]
  readonly model: unknown
  readonly thinkingLevel: string
  readonly roles: readonly string[]
  readonly msgSha: string
}

const open = (name: string) => loadLog(readShared(`pi/${name}.jsonl`))
const expectation = (name: string) => readSharedJson<PiExpected>(`pi/${name}.expected.json`)

/** Pi answers these with data loss, an error or a hang; below, each has a test of its own that says what we do. */
const EXCEPTIONS = new Set([
  '15c-utf8-bom',
  '19b-header-corrupt',
  '20b-whitespace-only',
  '21b-header-second',
  '24-self-parent-cycle',
  '31d-forkFrom-v1-by-0.73.1',
])
const names = listShared('pi')

describe.skipIf(!hasShared)(hasShared ? 'Pi 1.5.0 fixtures' : SKIPPED, () => {
  test.each(names.filter((name) => !EXCEPTIONS.has(name)))('%s: every leaf gives the context Pi computed', (name) => {
    const log = open(name)
    const expected = expectation(name)
    // v1 ids are random in Pi: entries are told apart by their place. Lines that are no records have no id at all.
    const theirs = expected.entryIds.filter((id) => id !== null)
    expect(log.entries.length).toBe(theirs.length)
    const ours = new Map(theirs.map((id, index) => [id, log.entries[index]!.id]))

    expect(log.leafId).toBe(expected.leafId === null ? null : ours.get(expected.leafId))
    expect(asExpected(asPi(contextAt(log, log.leafId, 'pi')))).toEqual(asFixture(expected.buildSessionContext.ok))
    expect(asExpected(asPi(contextAt(log, null, 'pi')))).toEqual(expected.contextNullLeaf.ok)

    const perLeaf = Object.entries(expected.perLeaf)
    expect(perLeaf.length).toBe(new Set(theirs).size)
    for (const [leafId, { ok }] of perLeaf) {
      const id = ours.get(leafId)!
      const context = contextAt(log, id, 'pi')
      expect(log.path(id).ids).toEqual(ok.branch.map((theirId) => ours.get(theirId)))
      expect(context.messages.map((message) => message.role)).toEqual(ok.roles)
      expect(sha256(JSON.stringify(context.messages)).slice(0, 16)).toBe(ok.msgSha)
      expect({ model: context.model, thinkingLevel: context.thinkingLevel }).toEqual({
        model: ok.model,
        thinkingLevel: ok.thinkingLevel,
      })
    }
  })

  test.each(names.filter((name) => !EXCEPTIONS.has(name)))('%s: messages come from the entries Pi names', (name) => {
    const log = open(name)
    const expected = expectation(name)
    const theirs = expected.entryIds.filter((id) => id !== null)
    const ours = new Map(theirs.map((id, index) => [id, log.entries[index]!.id]))
    const sources = contextAt(log, log.leafId, 'pi').sources.map((source) => source.entryId)
    expect(sources).toEqual(
      expected.buildSessionProjection.ok.flatMap(({ id, n }) => Array<unknown>(n).fill(ours.get(id))),
    )
  })

  test.each(names.filter((name) => !EXCEPTIONS.has(name) && name !== '20-empty-file'))(
    '%s: header, labels and name',
    (name) => {
      const log = open(name)
      const expected = expectation(name)
      expect(log.header).toEqual(expected.header)
      expect(log.labels).toEqual(expected.labels)
      expect(log.name ?? null).toBe(expected.sessionName)
    },
  )

  const linear = () => contextAt(open('01-linear-v3'), '8f7641ae', 'pi')

  test('15c Pi refuses a file that starts with a BOM; we read it like the same file without', () => {
    expect(expectation('15c-utf8-bom').openError).toMatch(/not a valid pi session/)
    const log = open('15c-utf8-bom')
    expect(contextAt(log, log.leafId, 'pi')).toEqual(linear())
  })

  test.each(['19b-header-corrupt', '21b-header-second'])(
    '%s: Pi refuses a file whose header is damaged; we still read the entries (I3)',
    (name) => {
      expect(expectation(name).openError).toMatch(/not a valid pi session/)
      const log = open(name)
      expect(asPi(contextAt(log, '8f7641ae', 'pi')).messages.length).toBeGreaterThan(0)
      expect(log.entries.map((entry) => entry.id)).toContain('8f7641ae')
    },
  )

  test('20b a file of blank lines is an error to Pi; to us it is empty', () => {
    expect(expectation('20b-whitespace-only').openError).toMatch(/not a valid pi session/)
    const log = open('20b-whitespace-only')
    expect([log.header, log.entries, log.leafId]).toEqual([undefined, [], null])
  })

  test('24 an entry that is its own parent hangs Pi; here the walk stops there and says so (X24, G1)', () => {
    const log = open('24-self-parent-cycle')
    const path = log.path(log.leafId)
    expect(path.cyclic).toBe(true)
    expect(path.ids[0]).toBe('2212b7f9')
    expect(contextAt(log, log.leafId, 'pi').messages).toEqual(linear().messages)
  })

  test('31d Pi sees one message of a v3 file without ids; we derive ids and chain the entries (S16)', () => {
    const log = open('31d-forkFrom-v1-by-0.73.1')
    const original = open('12-v1-linear')
    expect(asPi(contextAt(log, log.leafId, 'pi'))).toEqual(asPi(contextAt(original, original.leafId, 'pi')))
    expect(new Set(log.entries.map((entry) => entry.id)).size).toBe(log.entries.length)
  })
})
