import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeMarkdown } from './safe-markdown.ts'

test.each([
  ['a <script>alert(1)</script> b', 'a &lt;script>alert(1)&lt;/script> b'],
  ['`a < b` and <b>', '`a < b` and &lt;b>'],
  ['&lt;b&gt; & more', '&amp;lt;b&amp;gt; & more'],
  ['[x](javascript:alert(1))', '[x](javascript :alert(1))'],
  ['[x](java&#115;cript:alert(1))', '[x](java&amp;#115;cript:alert(1))'],
  ['[x]: data:text/html,1', '[x]: data :text/html,1'],
  ['![x](https://tracker.example/p.png)', '[image: x](https://tracker.example/p.png)'],
  ['# Title\n\n- **bold** and *more*\n\n| a | b |', '# Title\n\n- **bold** and *more*\n\n| a | b |'],
  ['```html\n<b>\n```\nafter <b>', '```html\n<b>\n```\nafter &lt;b>'],
  ['1. do\n   ```sh\n   a < b\n   ```\n2. go', '1. do\n   ```sh\n   a < b\n   ```\n2. go'],
  ['[a]:\n```\n<b>\n```', '[a]:\n\n```\n<b>\n```'],
  ['\u001b[31mred\u001b[0m', 'red'],
])('K4 %j is written so that it is read and not run', (text, expected) => {
  expect(safeMarkdown(text)).toBe(expected)
})

test('a code block that is left open ends with the text', () => {
  expect(safeMarkdown('```js\n<b>')).toBe('```js\n<b>\n```')
  expect(safeMarkdown('~~~~\nx')).toBe('~~~~\nx\n~~~~')
})

test.each([
  // Not indented, so it ends the list and the block in it.
  ['- a\n  ```\n  code\n<script>x</script>\n  ```'],
  ['> ```\n> a\n<script>x</script>'],
  ['- ```\n  a\n<script>x</script>'],
])('K4 where renderers may disagree about what is code, all of it is: %j', (text) => {
  expect(safeMarkdown(text)).toMatch(/^(`{4,})text\n[\s\S]*\n\1$/)
})

test.each([
  ['\\`<script>`'],
  ['a ` b\n`<script>`'],
  ['| `a | <script>` |'],
  ['para\n    ```\n\n    <script>\n    ```'],
])('K4 what only looks like code is escaped: %j', (text) => {
  expect(safeMarkdown(text)).not.toContain('<')
})

test('K4 outside of code that is closed no text has an angle bracket that opens, whatever it is made of', () => {
  const piece = fc.constantFrom(
    '`',
    '```',
    '~~~',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '- ',
    '> ',
    '1. ',
    '|',
    '\\',
    '<script>',
    'x',
    '\t',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const result = safeMarkdown(pieces.join(''))
      let fence: string | undefined
      for (const line of result.split('\n')) {
        const marks = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line)
        if (fence === undefined && marks !== null) fence = marks[1]!
        else if (fence !== undefined && marks !== null && marks[1]!.startsWith(fence) && marks[2]!.trim() === '')
          fence = undefined
        else if (fence === undefined) expect(line.replace(/(?<!`)(`+)(?!`)[^|]*?(?<!`)\1(?!`)/g, '')).not.toContain('<')
      }
      expect(fence).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})
