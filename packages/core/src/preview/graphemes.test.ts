import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { graphemesOf } from './graphemes.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const expected = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

test('X38 any text falls apart as Unicode says, with or without a segmenter', () => {
  const pieces = fc.constantFrom(
    'a',
    '日',
    '🙂',
    'é',
    'e\u0301',
    '👨‍👩‍👧',
    '🇫🇷',
    '한',
    'ᄒ',
    '\u0e33',
    'क्ष',
    '…',
    '→',
    '\r\n',
    'ﾞ',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect([...graphemesOf(given)]).toEqual(expected(given))
    }),
    { numRuns: runs(500) },
  )
})

test('X38 no character outside of the list is one with its neighbours', () => {
  const wrong: string[] = []
  for (let code = 0; code < 0x2_0000; code++) {
    // Surrogates are no characters; ideographs and syllables by the thousand are all alike.
    if ((code >= 0x3400 && code < 0xa000) || (code >= 0xac00 && code < 0xf900)) continue
    // Between letters, so that it could go with either.
    const text = `a${String.fromCodePoint(code)}日`
    if ([...graphemesOf(text)].length !== expected(text).length) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})
