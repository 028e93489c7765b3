import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { firstGraphemes, preview, previewColumns } from './preview.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const graphemesOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)

const part = fc.oneof(
  fc.constantFrom(
    '👨‍👩‍👧',
    '🇧🇪',
    'é',
    '日本',
    '1️⃣',
    'a',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\u00a0',
    '\u001b[31m',
    '\ud800',
    '\u0301',
  ),
  fc.string({ maxLength: 4 }),
)
const anyText = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))

test('N52 a preview is one line of at most 80 characters', () => {
  expect(preview('x'.repeat(80))).toBe('x'.repeat(80))
  expect(preview('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`)
  expect(preview('  two\r\n\n\tlines and\u2028more  ')).toBe('two lines and more')
  expect(preview(' \n ')).toBe('')
})

test('X38 a cut never goes through an emoji, a flag or an accent', () => {
  expect(preview('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 2)).toBe('👨‍👩‍👧…')
  expect(preview('🇧🇪🇳🇱', 2)).toBe('🇧🇪🇳🇱')
  expect(firstGraphemes('cafe\u0301s', 4)).toBe('cafe\u0301')
})

test('X38 a preview is the start of the text in whole characters, never more than asked for', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.array(anyText).map((texts) => texts.join(' ')),
      ),
      fc.integer({ min: 0, max: 40 }),
      (text, limit) => {
        const all = preview(text, Number.POSITIVE_INFINITY)
        const short = preview(text, limit)
        const whole = graphemesOf(all)
        expect(graphemesOf(short).length).toBeLessThanOrEqual(limit)
        if (whole.length <= limit) expect(short).toBe(all)
        else if (limit > 0)
          expect(short).toBe(
            `${whole
              .slice(0, limit - 1)
              .join('')
              .trimEnd()}…`,
          )
        expect(firstGraphemes(text, limit)).toBe(whole.slice(0, limit).join('').trimEnd())
        expect(/[\n\r\t]| {2}|^ | $/.test(short)).toBe(false)
      },
    ),
    { numRuns: runs(1000) },
  )
})

test('the sign of a cut counts, and the space before it does not stay', () => {
  expect(preview('one two three', 5)).toBe('one…')
  expect(preview('ab', 1)).toBe('…')
  expect(preview('ab', 0)).toBe('')
})

test('K4 a preview holds no control characters', () => {
  expect(preview('\u001b]0;x\u0007a\u0000\u202eb')).toBe('a\ufffdb')
})

test('ten megabytes cost no more than their beginning', () => {
  const letters = 'é'.repeat(10_000_000)
  expect(preview(letters, 10)).toBe(`${'é'.repeat(9)}…`)
  const gap = `${' '.repeat(1_000_000)}a${'\n'.repeat(5_000_000)}b`
  expect(preview(gap, 10)).toBe('a…')
  expect(preview(`a${'\u0301'.repeat(5_000_000)}`, 10)).toBe('…')
})

test('columns count wide characters twice', () => {
  expect(previewColumns('日本語テキスト', 7)).toBe('日本語…')
  expect(previewColumns('日本語', 6)).toBe('日本語')
  expect(previewColumns('👨‍👩‍👧🇧🇪ab', 5)).toBe('👨‍👩‍👧🇧🇪…')
  expect(previewColumns('a\u0301b', 2)).toBe('a\u0301b')
})
