import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { layoutMarkdown } from './layout-markdown.ts'
import { StyledLines } from './StyledLines.tsx'

test('rows are drawn as they were laid out, empty ones too', () => {
  const lines = layoutMarkdown('**a** b\n\n中文 `c`\n\n```ts\nlet x = 1\n```', 20, { isUnicode: true })
  const drawn = renderToString(createElement(StyledLines, { lines }), { columns: 20 })
  const rows = stripVTControlCharacters(drawn).split('\n')
  expect(rows.map((row) => row.trimEnd())).toEqual(['a b', '', '中文 `c`', '', '── ts', '  let x = 1'])
})
