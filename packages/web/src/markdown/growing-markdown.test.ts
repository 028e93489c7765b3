import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GrowingMarkdown, growMarkdown, NO_MARKDOWN } from './growing-markdown.ts'
import { type Block, parseMarkdown } from './parse-markdown.ts'

/** Without places in the text, which are counted from the tail. */
function plain(blocks: readonly Block[]): unknown {
  return JSON.parse(JSON.stringify(blocks, (key, value) => (key === 'position' ? undefined : value)))
}

function grow(text: string, sizes: readonly number[]): GrowingMarkdown {
  let grown = NO_MARKDOWN
  let at = 0
  for (let i = 0; at < text.length; i++) {
    at += Math.max(1, sizes[i % sizes.length]!)
    grown = growMarkdown(grown, text.slice(0, at))
  }
  return grown
}

const pieces = [
  'words and *more* words',
  '# heading',
  '#',
  'x',
  '- item',
  '  - below',
  '1. first',
  '> quoted',
  '```ts',
  '```',
  '    indented',
  '| a | b |',
  '|---|---|',
  '---',
  '===',
  '~~~',
  '<b>bold</b>',
  '[^1]: note',
  '  more of it',
  '',
]

test('a text read as it grows is the text read at once', () => {
  const line = fc.constantFrom(...pieces)
  const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (whole, sizes) => {
      const { done, tail } = grow(whole, sizes)
      expect(plain([...done, ...tail])).toEqual(plain(parseMarkdown(whole)))
    }),
    { numRuns: 300 },
  )
})

test('what is settled is not read again', () => {
  const first = growMarkdown(NO_MARKDOWN, 'One.\n\nTwo.\n\nThr')
  expect(first.done).toHaveLength(1)
  const second = growMarkdown(first, 'One.\n\nTwo.\n\nThree.\n\nFour.\n')
  expect(second.done[0]).toBe(first.done[0])
  expect(second.done).toHaveLength(3)
  expect(second.tailStart).toBe('One.\n\nTwo.\n\nThree.\n\n'.length)
})

test('half a line does not settle what stands before it', () => {
  const { done, tail } = growMarkdown(growMarkdown(NO_MARKDOWN, 'foo\n#'), 'foo\n#x')
  expect([...done, ...tail]).toHaveLength(1)
})

test('another text begins anew', () => {
  const { done, tail } = growMarkdown(growMarkdown(NO_MARKDOWN, 'One.\n\nTwo.\n\nThree'), 'Else')
  expect(plain([...done, ...tail])).toEqual(plain(parseMarkdown('Else')))
})

test('long code costs the same with every piece', () => {
  const opening = 'Look:\n\n```ts\n'
  const grown = growMarkdown(NO_MARKDOWN, `${opening}const a = 1\n`)
  const longer = growMarkdown(grown, `${opening}const a = 1\nconst b = 2\n`)
  expect(longer.tail).toEqual([{ type: 'code', lang: 'ts', meta: null, value: 'const a = 1\nconst b = 2' }])
})
