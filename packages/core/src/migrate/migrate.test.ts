import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionHeader } from '../entry/entry.ts'
import { runs } from '../testing/runs.ts'
import { deriveEntryId } from './derive-entry-id.ts'
import { logVersion, migrateLog, type RawRecord, type RecordPlace, upgradeEntry, upgradeHeader } from './migrate.ts'

const header: SessionHeader = { type: 'session', id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/work' }
const place = (record: number, version: number, more: Partial<RecordPlace> = {}): RecordPlace => ({
  version,
  sessionId: 's1',
  record,
  previousRecord: record === 1 ? null : record - 1,
  ...more,
})
const message = { role: 'user', content: 'hi', timestamp: 1 }

describe('derived ids', () => {
  test('S16 an id depends on session and record alone, now and in every later release', () => {
    expect(deriveEntryId('s1', 1)).toBe(deriveEntryId('s1', 1))
    expect(deriveEntryId('01980000-0000-7000-8000-00000000000e', 1)).toBe('80b02164')
    expect(deriveEntryId('s2', 1)).not.toBe(deriveEntryId('s1', 1))
  })

  test('S16 no two records of a session share an id', () => {
    const ids = new Set<string>()
    for (let record = 0; record < 200_000; record++) ids.add(deriveEntryId('s1', record))
    expect(ids.size).toBe(200_000)
    const record = fc.integer({ min: 0, max: 0xffff_ffff })
    fc.assert(
      fc.property(fc.string(), record, record, (session, a, b) => {
        const id = deriveEntryId(session, a)
        expect(id).toMatch(/^[0-9a-f]{8}$/)
        expect(id === deriveEntryId(session, b)).toBe(a === b)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('upgradeEntry', () => {
  test('S14 a v1 entry gets a new id even if it has one, and the id before it as parent', () => {
    const raw = { message, timestamp: 't', id: 'own', type: 'message', parentId: 'other' }
    const entry = upgradeEntry(raw, place(2, 1))
    expect(entry).toEqual({ ...raw, id: deriveEntryId('s1', 2), parentId: deriveEntryId('s1', 1) })
    expect(Object.keys(entry)).toEqual(['type', 'id', 'parentId', 'timestamp', 'message'])
    expect(upgradeEntry(raw, place(1, 1)).parentId).toBeNull()
  })

  test.each([
    [0, undefined],
    [1, deriveEntryId('s1', 1)],
    [3, deriveEntryId('s1', 3)],
    [4, undefined],
    [99, undefined],
    [-1, undefined],
    [1.5, undefined],
    ['2', undefined],
    [null, undefined],
  ])('S14 firstKeptEntryIndex %s of record 4', (firstKeptEntryIndex, expected) => {
    const raw = { type: 'compaction', timestamp: 't', summary: 's', firstKeptEntryIndex, tokensBefore: 1 }
    const entry = upgradeEntry(raw, place(4, 1))
    expect(entry.firstKeptEntryId).toBe(expected)
    expect(entry).not.toHaveProperty('firstKeptEntryIndex')
  })

  test.each([
    { firstKeptEntryIndex: 2, firstKeptEntryId: 'old' },
    { firstKeptEntryId: 'old', firstKeptEntryIndex: 2 },
  ])('S14 of a v1 compaction with an old id as well the index says what is kept: %j', (kept) => {
    const raw = { type: 'compaction', timestamp: 't', summary: 's', ...kept, tokensBefore: 1 }
    expect(upgradeEntry(raw, place(4, 1)).firstKeptEntryId).toBe(deriveEntryId('s1', 2))
    expect(upgradeEntry({ ...raw, firstKeptEntryIndex: 9 }, place(4, 1))).not.toHaveProperty('firstKeptEntryId')
  })

  test('S15 a v2 hookMessage becomes custom; the record itself is not touched', () => {
    const raw: RawRecord = Object.freeze({
      type: 'message',
      id: 'a',
      parentId: null,
      timestamp: 't',
      message: Object.freeze({ role: 'hookMessage', content: 'x' }),
      extra: 1,
    })
    expect(upgradeEntry(raw, place(1, 2))).toEqual({ ...raw, message: { role: 'custom', content: 'x' } })
    expect(upgradeEntry(raw, place(1, 3))).toBe(raw)
  })

  test('an entry that needs nothing is returned as it is', () => {
    const raw = { zebra: 1, type: 'new', parentId: 'x', id: 'a', timestamp: 5 }
    expect(upgradeEntry(raw, place(1, 4))).toBe(raw)
  })

  test('a v3 record without an id gets one; without a parentId it is chained to the record before', () => {
    const raw = { type: 'message', timestamp: 't', message }
    expect(upgradeEntry(raw, place(2, 3, { previousId: 'before' }))).toMatchObject({
      id: deriveEntryId('s1', 2),
      parentId: 'before',
    })
    expect(upgradeEntry({ ...raw, parentId: null }, place(2, 3)).parentId).toBeNull()
    expect(upgradeEntry({ ...raw, id: 'own' }, place(2, 3))).toMatchObject({
      id: 'own',
      parentId: deriveEntryId('s1', 1),
    })
  })

  test('a field called __proto__ is data', () => {
    const raw: RawRecord = JSON.parse('{"type":"x","timestamp":"t","__proto__":{"polluted":1}}')
    const entry = upgradeEntry(raw, place(1, 1))
    expect(Object.hasOwn(entry, '__proto__')).toBe(true)
    expect(JSON.stringify(entry)).toContain('"__proto__":{"polluted":1}')
    expect(entry.polluted).toBeUndefined()
  })
})

describe('upgradeHeader', () => {
  test('S5 a missing version means 1; what is current or newer stays', () => {
    expect(upgradeHeader(header)).toEqual({ ...header, version: 3 })
    expect(upgradeHeader({ ...header, version: 2 })).toEqual({ ...header, version: 3 })
    const current = { ...header, version: 3 }
    expect(upgradeHeader(current)).toBe(current)
    expect(upgradeHeader({ ...header, version: 4 }).version).toBe(4)
    expect(['1', '3', 'x', null].map((version) => logVersion({ version }))).toEqual([1, 3, 3, 1])
  })

  test("oh-my-pi's slot gives its title, unless it is empty", () => {
    const slot = { type: 'title', v: 1, title: 'New', source: 'user', updatedAt: 't', pad: '' } as const
    const titled = { ...header, version: 3, title: 'Old', titleSource: 'auto' } as const
    expect(upgradeHeader(titled, slot)).toEqual({ ...titled, title: 'New', titleSource: 'user' })
    expect(upgradeHeader(titled, { ...slot, title: '' })).toBe(titled)
  })
})

describe('migrateLog', () => {
  const records: RawRecord[] = [
    { type: 'message', timestamp: 't', message },
    { type: 'message', timestamp: 't', message: { ...message, role: 'hookMessage' } },
    { type: 'compaction', timestamp: 't', summary: 's', firstKeptEntryIndex: 2, tokensBefore: 1 },
  ]

  test('S16 migrating what was migrated changes nothing', () => {
    const first = migrateLog(header, records)
    expect(first.changed).toBe(true)
    expect(first.entries.map((entry) => entry.parentId)).toEqual([null, first.entries[0]?.id, first.entries[1]?.id])
    expect(first.entries[2]?.firstKeptEntryId).toBe(first.entries[1]?.id)
    expect(migrateLog(first.header, first.entries)).toEqual({ ...first, changed: false })
  })

  test('S16 ids are the same on every open', () => {
    expect(migrateLog(header, records)).toEqual(migrateLog(header, structuredClone(records)))
  })

  test('a v3 log where some entries lack ids is chained through those that have one', () => {
    const mixed = [{ ...records[0], id: 'own', parentId: null }, records[0]!]
    const { entries, changed } = migrateLog({ ...header, version: 3 }, mixed)
    expect(entries[1]).toMatchObject({ id: deriveEntryId('s1', 2), parentId: 'own' })
    expect(changed).toBe(true)
  })
})
