import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZONE_BITS } from '../session-index/schema.ts'
import { SmallIndex, userEntry } from '../testing/small-index.ts'
import { planCandidates } from './candidate-sql.ts'

test('the bound of a docid is the newest of all below it, also within a zone', () => {
  using index = new SmallIndex()
  const { db } = index
  const jitter = fc.sample(fc.nat(50), { numRuns: 2 * 2 ** ZONE_BITS + 100, seed: 3 })
  index.add(
    'a file',
    jitter.map((by, i) => ({ entry: userEntry('text'), timeMs: 1000 + i + (i < 2 ** ZONE_BITS ? by : 0) })),
  )
  const plan = planCandidates({ db, terms: ['text'], filters: {}, includesDeleted: false, after: undefined })!
  const rows = db.prepare('SELECT docid, time FROM nodes ORDER BY docid').all()
  let newest = Number.NEGATIVE_INFINITY
  for (const { docid, time } of rows.map((row) => ({ docid: Number(row.docid), time: Number(row.time) }))) {
    expect(plan.newestBelow(docid)).toBe(newest)
    newest = Math.max(newest, time)
  }
  expect(plan.newestBelow(plan.below)).toBe(newest)
})

test('a bound is no newer than what is asked for, and there is none when all is older', () => {
  using index = new SmallIndex()
  const { db } = index
  index.add(
    'a file',
    [10, 20, 30].map((timeMs) => ({ entry: userEntry('text'), timeMs })),
  )
  const boundOf = (filters: { readonly untilMs?: number; readonly sinceMs?: number }, time?: number) => {
    const after = time === undefined ? undefined : { time, file: '', offset: 0 }
    const plan = planCandidates({ db, terms: ['text'], filters, includesDeleted: false, after })!
    return plan.newestBelow(plan.below)
  }
  expect(boundOf({})).toBe(30)
  expect(boundOf({ untilMs: 25 })).toBe(25)
  expect(boundOf({}, 15)).toBe(15)
  expect(boundOf({ sinceMs: 30 })).toBe(30)
  expect(boundOf({ sinceMs: 31 })).toBe(Number.NEGATIVE_INFINITY)
})
