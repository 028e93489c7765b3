import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZONE_BITS } from '../session-index/schema.ts'
import { runs } from '../testing/runs.ts'
import { SmallIndex, userEntry } from '../testing/small-index.ts'
import { amount } from '../torture/amounts.ts'
import { fold } from './fold.ts'
import { pathKey } from './order.ts'

const PIECES = [
  'er',
  'ror',
  'Err',
  'get',
  'User',
  'By',
  'a',
  'B',
  '7',
  '42',
  ' ',
  ' ',
  '  ',
  '\n',
  '_',
  '-',
  '.',
  '/',
  '#',
]
  .concat([
    'é',
    'É',
    'e\u0301',
    'ß',
    'SS',
    'İ',
    'ı',
    'Σ',
    'ς',
    'ﬁ',
    'Ａ',
    '日',
    '本',
    '語',
    'カ',
    'ｶ',
    'ﾞ',
    'が',
    '한',
    '글',
    'ก',
    'ิ',
  ])
  .concat(['न', 'ि', '🎉', '👩‍👧', '\u200d', '\0', '\ud800', '—', '“', '𝔘', '𠀀', 'ж', 'Й', '\u00a0', '¨'])
const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
const doc = fc.record({
  text,
  time: fc.integer({ min: 1, max: 12 }),
  file: fc.integer({ min: 0, max: 3 }),
  jump: fc.boolean(),
})
const term = fc.array(fc.constantFrom(...PIECES.filter((piece) => !/[\s"-]/.test(piece))), {
  minLength: 1,
  maxLength: 3,
})
const query = fc.array(
  fc.record({ term: term.map((parts) => parts.join('')), form: fc.constantFrom('', '', '', '-', '"') }),
  { minLength: 1, maxLength: 2 },
)

/** The meaning of a query, by regular expressions over every text. */
function isMeant(text: string, terms: readonly { readonly term: string; readonly form: string }[]): boolean {
  return terms.every(({ term, form }) => {
    const folded = fold(term).trim()
    return folded === '' || hasTerm(text, folded) === (form !== '-')
  })
}

const UNSPACED = '[\\u30fc\\u3099\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}]'
const WORD_START = `(?:(?<=${UNSPACED})|(?<![\\p{L}\\p{N}\\p{M}]))`

function hasTerm(text: string, term: string): boolean {
  const isUnspaced = new RegExp(UNSPACED, 'u').test(term)
  const beginsWord = [...term].length < 3 && !isUnspaced && /^[\p{L}\p{N}]/u.test(term)
  const pattern = new RegExp((beginsWord ? WORD_START : '') + term.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'u')
  const split = text.replace(/[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
  return pattern.test(fold(text)) || (beginsWord && pattern.test(fold(split)))
}

test('hits are exactly those that a look at every text finds, newest first, page by page', async () => {
  const property = fc.asyncProperty(
    fc.array(doc, { minLength: 1, maxLength: 40 }),
    fc.array(query, { minLength: 12, maxLength: 12 }),
    fc.integer({ min: 1, max: 7 }),
    async (docs, queries, limit) => {
      using index = new SmallIndex()
      const nodes = docs.map(({ text, time, file, jump }, i) => {
        const entry = userEntry(text)
        if (jump) index.db.writeMeta('next_docid', String((i + 1) * 2 ** (ZONE_BITS - 1)))
        const path = `file ${file}`
        const offset = index.bodies.get(path)?.length ?? 0
        index.add(path, [{ entry, timeMs: time }])
        return { id: entry.id, text, time, key: pathKey(path), offset }
      })
      nodes.sort((a, b) => b.time - a.time || (a.key < b.key ? -1 : a.key > b.key ? 1 : b.offset - a.offset))
      for (const terms of queries) {
        const words = terms.map(({ term, form }) => (form === '"' ? `"${term}"` : `${form}${term}`)).join(' ')
        const isEmpty = terms.every(({ term }) => fold(term).trim() === '')
        const expected = nodes.filter((node) => !isEmpty && node.text.trim() !== '' && isMeant(node.text, terms))
        const found: string[] = []
        let after: string | undefined
        do {
          const page = await index.search(words, { limit, after })
          expect(page.pending).toBe(0)
          found.push(...page.hits.map((hit) => hit.nodeId))
          after = page.next
        } while (after !== undefined)
        expect(found, words).toEqual(expected.map(({ id }) => id))
      }
    },
  )
  await fc.assert(property, { numRuns: runs(25) })
})

test('the newest come first however docids and times are mixed, read zone by zone', async () => {
  using index = new SmallIndex()
  const random = fc.sample(fc.record({ time: fc.nat(900), isHit: fc.nat(9) }), { numRuns: 3000, seed: 7 })
  const nodes: { readonly id: string; readonly time: number; readonly key: string; readonly offset: number }[] = []
  for (let start = 0; start < random.length; start += 60) {
    // Later docids are older here, newer there; stretches without any between them.
    index.db.writeMeta('next_docid', String(1 + start * 37))
    const path = `file ${start % 7}`
    const some = random.slice(start, start + 60).map(({ time, isHit }) => ({
      entry: userEntry(isHit > 0 ? 'common word, 検索' : 'another text'),
      timeMs: time + (start % 240),
    }))
    const first = index.bodies.get(path)?.length ?? 0
    index.add(path, some)
    for (const [i, { entry, timeMs }] of some.entries()) {
      nodes.push({ id: entry.id, time: timeMs, key: pathKey(path), offset: first + i })
    }
  }
  nodes.sort((a, b) => b.time - a.time || (a.key < b.key ? -1 : a.key > b.key ? 1 : b.offset - a.offset))
  const others = new Set((await index.hits('another', { limit: 500 })).map((hit) => hit.nodeId))
  const expected = nodes.filter(({ id }) => !others.has(id)).map(({ id }) => id)
  for (const query of ['common', '検索', 'wo', 'common 検', '-another']) {
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await index.search(query, { limit: 499, after })
      found.push(...page.hits.map((hit) => hit.nodeId))
      after = page.next
    } while (after !== undefined)
    expect(found, query).toEqual(expected)
    expect((await index.hits(query, { limit: 10 })).map((hit) => hit.nodeId)).toEqual(expected.slice(0, 10))
  }
})

const SYNTAX = [
  '"',
  "'",
  '*',
  '^',
  ':',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '/',
  '+',
  '-',
  '\0',
  '%',
  '_',
  '?',
  ';',
  '--',
  '/*',
]
  .concat([
    'NEAR(',
    'AND',
    'OR',
    'NOT',
    'text:',
    'words:',
    'rowid:',
    'role:',
    'tool:',
    'path:"',
    'since:',
    'error:true',
    ' ',
  ])
  .concat([
    '🎉',
    '\ud800',
    '\udc00',
    '\u0301',
    '日',
    '本語',
    'ß',
    'a',
    'ab',
    'abc',
    'x'.repeat(50),
    '\n',
    '\u202e',
    'ﷺ',
    "';DROP",
  ])

test('fuzzed queries are answered or refused with a code; none is syntax to SQLite', async () => {
  using index = new SmallIndex()
  index.say('abc AND "x" NEAR(a b) 日本語', 'text: ab* (x) OR y', '🎉 ß -- ;DROP', 'ﷺ'.repeat(3))
  const count = amount(2_000, 500_000)
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...SYNTAX) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  )
  const fuzzed = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  let answered = 0
  const property = fc.asyncProperty(fuzzed, async (words) => {
    try {
      await index.search(words, { limit: 3 })
      answered++
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code !== 'validation_failed') throw error
    }
  })
  await fc.assert(property, { numRuns: count })
  expect(answered).toBeGreaterThan(count * 0.9)
}, 60_000)

test('a query of a megabyte is refused at once, one of many words too', async () => {
  using index = new SmallIndex()
  index.say('x')
  for (const words of [
    'x'.repeat(1e6),
    '"'.repeat(1e6),
    'a '.repeat(5e5),
    'word '.repeat(33).replace(/ /g, () => `${Math.random()} `),
  ]) {
    const start = performance.now()
    await expect(index.search(words)).rejects.toMatchObject({ code: 'validation_failed' })
    expect(performance.now() - start).toBeLessThan(1000)
  }
  expect((await index.search('日本'.repeat(500))).hits).toEqual([])
  expect((await index.search(`"${'x '.repeat(400)}"`)).hits).toEqual([])
})
