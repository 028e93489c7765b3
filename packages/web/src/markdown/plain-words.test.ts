import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLines, plainWords } from './plain-words.ts'

test('line by line the lines stay, and so does code', () => {
  expect(plainLines('## Two\n\n- **a**\n```\n**b**\n```\n*c*')).toBe('Two\n\n• a\n```\n**b**\n```\nc')
})

test.each([
  [
    '# It depends\n\nOn what you **read** most:\n\n- `LRU` for recency\n- *LFU*',
    'It depends On what you read most: • LRU for recency • LFU',
  ],
  ['***both*** and __under__ and _this_ and ~~gone~~', 'both and under and this and gone'],
  ['**use `**` here**', 'use ** here'],
  ['See [the docs](https://example.com/a_(b)) and ![a tree](x.png "t").', 'See the docs and a tree.'],
  ['[![badge](x.svg)](https://example.com)', 'badge'],
  ['<https://example.com/a_b_c>', 'https://example.com/a_b_c'],
  ['```ts\nconst a = b * c * d\n```\nThen **run** it.', 'const a = b * c * d Then run it.'],
  ['```ts const tree = 1 ``` This opens it.', 'const tree = 1 This opens it.'],
  ['```ts title="a"\nlet x\n```', 'let x'],
  ['```js let a = 1…', 'let a = 1…'],
  ['> quoted\n> twice', 'quoted twice'],
  ['1. First\n2. Then', '1. First 2. Then'],
  ['- [ ] open\n- [x] done', '☐ open ☑ done'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a · b 1 · 2'],
  ['Title\n=====\n\n---\n\nText', 'Title Text'],
  ['## Goal Stay below 600. ## State Done.', 'Goal Stay below 600. State Done.'],
  ['\\*not this\\*', '*not this*'],
])('the marks of %j are gone', (text, words) => expect(plainWords(text)).toBe(words))

test.each([
  'snake_case_name',
  '2 * 3 * 4',
  'C# and #hashtag',
  'f(**kwargs)',
  'a < b > c',
  'it costs $5 - or 6',
  '5 * 3',
])('%j has no marks', (text) => expect(plainWords(text)).toBe(text))

test('of a text that was cut off, what was only opened is a mark', () => {
  expect(plainWords('a **bold and `code…', true)).toBe('a bold and code…')
  expect(plainWords('see [the tree](https://exam', true)).toBe('see the tree')
})

test('nothing in it turns the reading around or is invisible', () => {
  expect(plainWords('exe\u202etxt\u0007 \ue000')).toBe('exetxt\ufffd')
})

test('words without marks stay as they are, whatever they are', () => {
  const word = fc
    .string({ unit: fc.constantFrom('a', 'é', '树', '7', '.', ','), minLength: 1 })
    .map((text) => `w${text}`)
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(plainWords(words.join(' '))).toBe(words.join(' '))
    }),
  )
})

test('the cost follows the length of the text', () => {
  const started = performance.now()
  for (const text of ['*a '.repeat(50_000), '[['.repeat(50_000), '`a ``b '.repeat(20_000), '> '.repeat(50_000)])
    plainWords(text)
  expect(performance.now() - started).toBeLessThan(3_000)
})
