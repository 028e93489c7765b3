import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { gramsFeed, wordsFeed } from './feed.ts'
import { fold } from './fold.ts'
import { mapFolding, unfoldOffset } from './fold-map.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'B',
        ' ',
        '\n',
        '\0',
        '\u0301',
        '\u200b',
        '\u3099',
        'か',
        'ｶ',
        'ﾞ',
        'ᄒ',
        'ᅡ',
        'ᆫ',
        '하',
        '¨',
        '\u3000',
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
)

test.for([
  ['Café', 'cafe'],
  ['e\u0301', 'e'],
  ['STRASSE ẞ ß', 'strasse ss ss'],
  ['İIıi', 'iiii'],
  ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
  ['ＦＵＬＬ ｶﾞ', 'full ガ'],
  ['が か\u3099', 'が が'],
  ['ﬁ ① 한글', 'fi 1 한글'],
  ['ที่', 'ที่'],
  ['שָׁלוֹם', 'שלום'],
  ['a\r\n\t b\0c\u00a0d', 'a b c d'],
  ['so\u00adft\u200b', 'soft'],
  ['\ud800x', '\ufffdx'],
] as const)('folds %j to %j', ([text, folded]) => {
  expect(fold(text)).toBe(folded)
})

test('folding what is folded changes nothing, and there is nothing in it that SQLite would not keep', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = fold(text)
      expect(fold(folded)).toBe(folded)
      expect(folded.isWellFormed()).toBe(true)
      expect(folded).not.toMatch(/\0|\s\s/)
    }),
    { numRuns: runs(2000) },
  )
})

test('no character that is folded by short cut would be folded otherwise', () => {
  // A letter of another kind beside it leads the other way.
  for (let char = 0x80; char < 0xd800; char++) {
    const text = String.fromCharCode(char)
    expect(fold(`${text}Ж`)).toBe(`${fold(text)}ж`)
  }
})

test('every folded offset is mapped to the unit it comes from', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, padding) => {
      const padded = 'Größe  '.repeat(padding) + text
      const { folded, unitAt } = mapFolding(padded)
      expect(folded).toBe(fold(padded))
      for (let at = Math.max(0, folded.length - 25); at < folded.length; at++) {
        const [from, to] = unitAt(at)
        const start = fold(padded.slice(0, from)).length
        expect(fold(padded.slice(from, to))).toBe(folded.slice(start, start + fold(padded.slice(from, to)).length))
        expect(at).toBeGreaterThanOrEqual(start)
        expect(unitAt(unfoldOffset(padded, at) === from ? at : -1)).toEqual([from, to])
      }
    }),
    { numRuns: runs(80) },
  )
})

test('text of 500,000 characters without a blank is taken in at once', () => {
  for (const piece of ['x', 'aB', '日本語', 'é', '🎉']) {
    const text = piece.repeat(Math.ceil(500_000 / piece.length))
    const start = performance.now()
    expect(gramsFeed(text).length).toBeGreaterThan(400_000)
    expect(wordsFeed(text).length).toBeLessThan(100)
    expect(unfoldOffset(text, 400_000)).toBe(400_000)
    expect(performance.now() - start).toBeLessThan(5000)
  }
})

test('every key is one token of ASCII letters and digits, or of numbers behind a letter', () => {
  expect(wordsFeed('getUserById 日本 🎉 é-7').split(' ').sort()).toEqual(
    ['b', 'by', 'e', '7', 'g', 'ge', 'i', 'id', 'u', 'us', 'ǃ0k4l', 'ǃ0kdo', 'ǃ0k4l0kdo', 'ǃ2qo9'].sort(),
  )
})
