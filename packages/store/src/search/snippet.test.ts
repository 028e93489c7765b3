import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { fold } from './fold.ts'
import { matchText } from './match-text.ts'
import { makeSnippet } from './snippet.ts'

function snippetOf(text: string, ...terms: readonly string[]) {
  const first = matchText(text, terms)
  if (first === undefined) throw new Error(`${terms.join(' ')} is not in the text`)
  return makeSnippet(text, first, terms)
}

/** What is marked in the snippet. */
function marked(text: string, ...terms: readonly string[]): string[] {
  const { text: shown, matches } = snippetOf(text, ...terms)
  return matches.map(([from, to]) => shown.slice(from, to))
}

test('matches are marked where they are, whatever folding made of the text', () => {
  expect(marked('ein CAFÉ und ein cafe\u0301', 'cafe')).toEqual(['CAFÉ', 'cafe\u0301'])
  expect(marked('ﷺ Straße ẞ', 'ss')).toEqual(['ẞ'])
  expect(marked('die Straße', 'strasse')).toEqual(['Straße'])
  expect(marked('die Straße', 'stras')).toEqual(['Straß'])
  expect(marked('ＦＵＬＬ　width', 'full width')).toEqual(['ＦＵＬＬ　width'.replace('　', ' ')])
  expect(marked('ｶﾞｷﾞ', 'ギ')).toEqual(['ｷﾞ'])
  expect(marked('party 🎉🎉 time', '🎉')).toEqual(['🎉🎉'])
  expect(marked('getUserById in userid', 'id')).toEqual(['Id'])
  expect(marked('an error, no mirror', 'er')).toEqual(['er'])
  expect(marked('one two one', 'one', 'two')).toEqual(['one', 'two', 'one'])
  expect(marked('abcabc', 'abc', 'bca')).toEqual(['abcabc'])
})

test('a snippet is one line around the first match', () => {
  const before = 'several words of a rather long beginning '.repeat(10)
  const { text, matches } = snippetOf(`${before}\r\n\tThe needle\n\nin  the\u0000haystack ${before}`, 'needle')
  expect(text.length).toBeLessThanOrEqual(165)
  expect(text).toContain('beginning The needle in the haystack several')
  expect(text).toMatch(/^\S/)
  expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['needle'])
  expect(snippetOf('  short \n text ', 'text')).toEqual({ text: 'short text', matches: [[6, 10]] })
})

test('without words it is the beginning of the text', () => {
  expect(makeSnippet('\n\nSome text', { at: 0, of: 'text', term: '' }, [])).toEqual({
    text: 'Some text',
    matches: [],
  })
})

test('no character that a person sees is cut', () => {
  const family = '👩‍👩‍👧‍👧'
  const { text } = snippetOf(`${family.repeat(30)}needle${family.repeat(30)}`, 'needle')
  expect(text.replaceAll(family, '')).toBe('needle')
})

test('of a phrase longer than a snippet its beginning is marked', () => {
  const phrase = 'long phrase '.repeat(40).trim()
  const { text, matches } = snippetOf(`some ${phrase}`, phrase)
  expect(matches).toEqual([[5, text.length]])
})

test('a match far into a long text is found there', () => {
  const before = 'Größe\n\n\tUserName  '.repeat(20_000)
  expect(marked(`${before} needle`, 'needle')).toEqual(['needle'])
  expect(marked(`${before} theZq`, 'zq')).toEqual(['Zq'])
})

const piece = fc.constantFrom(
  'a',
  'B',
  'err',
  'É',
  'ß',
  'ﬁ',
  ' ',
  '\n\n',
  'ｶﾞ',
  '日本',
  '🎉',
  '👩‍👧',
  '\u0301',
  '\0',
  'İ',
  '한',
)

test('what is marked is what was looked for', () => {
  const texts = fc.array(piece, { minLength: 1, maxLength: 150 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, texts, fc.array(piece, { minLength: 1, maxLength: 4 }), (before, behind, parts) => {
      const term = fold(parts.join('')).trim()
      const text = `${before} ${parts.join('')} ${behind}`
      fc.pre(term !== '' && matchText(text, [term]) !== undefined)
      const { text: shown, matches } = snippetOf(text, term)
      expect(shown).not.toMatch(/[\n\0]| {2}/)
      expect(shown.length).toBeLessThanOrEqual(200)
      expect(matches.length).toBeGreaterThan(0)
      for (const [from, to] of matches) expect(fold(shown.slice(from, to))).toContain(term)
    }),
    { numRuns: runs(500) },
  )
})
