import { plainText } from '@treeline/core'
import fc from 'fast-check'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { widthOf } from '../../output/table.ts'
import { Editor, type EditorProps } from './Editor.tsx'
import { emptyEditor } from './editor-state.ts'
import { anyText, at } from './testing/keys.ts'

function draw(props: Partial<EditorProps>): string {
  const all: EditorProps = { state: emptyEditor, columns: 20, maxRows: 4, isUnicode: true, ...props }
  return renderToString(createElement(Editor, all), { columns: all.columns })
}

const withoutStyle = (text: string) => plainText(text)

test('the cursor is a block on its character, or behind the last one', () => {
  expect(draw({ state: at('a|bc') })).toContain('a\u001b[7mb\u001b[27mc')
  expect(draw({ state: at('ab|') })).toContain('ab\u001b[7m \u001b[27m')
  expect(draw({ state: at('|\nb') })).toContain('\u001b[7m \u001b[27m')
  expect(draw({ state: at('x|👍🏽') })).toContain('\u001b[7m👍🏽\u001b[27m')
  expect(draw({ state: at('x|\ty') })).toContain('x\u001b[7m \u001b[27m  y')
})

test('an empty editor shows one row of the placeholder', () => {
  expect(withoutStyle(draw({ placeholder: 'Ask something long, please' })).trimEnd()).toBe('> Ask something')
  expect(withoutStyle(draw({})).trimEnd()).toBe('>')
})

test('rows stand under each other, and marks say that there are more', () => {
  const state = at('1\n2\n3\n4|\n5\n6')
  expect(
    withoutStyle(draw({ state, maxRows: 9 }))
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual(['> 1', '  2', '  3', '  4', '  5', '  6'])
  const scrolled = (isUnicode: boolean) =>
    withoutStyle(draw({ state, maxRows: 3, isUnicode }))
      .split('\n')
      .map((line) => line.trimEnd())
  expect(scrolled(true)).toEqual(['↑ 3', '  4', '↓ 5'])
  expect(scrolled(false)).toEqual(['^ 3', '  4', 'v 5'])
})

test('a full row of wide characters is neither cut nor wrapped again', () => {
  expect(withoutStyle(draw({ state: at('東京東京東京東京東|'), columns: 21 })).trimEnd()).toBe('> 東京東京東京東京東')
})

test('K4 whatever is written, Ink draws as many rows as there may be, none too wide, and only the cursor as styled', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), fc.integer({ min: 6, max: 30 }), fc.nat(5), (text, cursor, columns, maxRows) => {
      const state = { ...emptyEditor, text, cursor: Math.min(cursor, text.length) }
      const lines = draw({ state, columns, maxRows }).split('\n')
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, maxRows))
      for (const line of lines) expect(widthOf(withoutStyle(line))).toBeLessThanOrEqual(columns)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(lines.join('\n').replace(/\u001b\[\d+m/g, '')).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
    }),
    { numRuns: 200 },
  )
})
