import { columnsOf, graphemesOf } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutMarkdown } from './layout-markdown.ts'
import type { StyledLine } from './styled-line.ts'

const textOf = (line: StyledLine): string => line.map((run) => run.text).join('')
const show = (text: string, columns = 40, isUnicode = true): string[] =>
  layoutMarkdown(text, columns, { isUnicode }).map((line) => textOf(line).trimEnd())
const widthOf = (text: string): number => [...graphemesOf(text)].reduce((sum, piece) => sum + columnsOf(piece), 0)

const SNIPPETS = [
  ...'ab 中，👩‍👩‍👧🇩🇪1\ufe0f\u0301\u200d*_`[]()<>!|-#>+~:\\"\'/\t\n ',
  ...[
    '**',
    '```ts\n',
    '\n\n',
    '\n- ',
    '\n  - ',
    '\n10. ',
    '\n> ',
    '| a | b |\n|---|--:|\n',
    '[x](https://a.b)',
    '\u001b[31m',
  ],
]
const markdown = fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 120 }).map((pieces) => pieces.join(''))
const width = fc.integer({ min: 1, max: 60 })

test('no row is wider than the columns, and none has a control character in it', () => {
  fc.assert(
    fc.property(markdown, width, fc.boolean(), (text, columns, isUnicode) => {
      for (const line of layoutMarkdown(text, columns, { isUnicode })) {
        expect(widthOf(textOf(line))).toBeLessThanOrEqual(columns)
        expect(textOf(line)).not.toMatch(/\p{Cc}/u)
      }
    }),
    { numRuns: 1500 },
  )
})

test('every visible character of a plain paragraph is there once', () => {
  const plain = fc.array(fc.constantFrom('a', 'word', ' ', '  ', '中', '，', '👩‍👩‍👧', 'é', '（', ','), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(plain, fc.integer({ min: 2, max: 30 }), (pieces, columns) => {
      const text = pieces.join('')
      expect(show(text, columns).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
    { numRuns: 500 },
  )
})

test('every visible character of code is there once', () => {
  const code = fc.array(fc.constantFrom('a', 'if', ' ', '中', '"', '/*', '*/', '//', '12', '<b', '\n', '#', "'"))
  const language = fc.constantFrom('ts', 'py', 'sh', 'html', 'css', 'sql', 'diff', 'none')
  fc.assert(
    fc.property(code, language, (pieces, name) => {
      const [label, ...rows] = show(`\`\`\`${name}\n${pieces.join('')}`, 12)
      expect(label).toBe(`── ${name}`)
      expect(rows.join('').replaceAll(/[ ↳]/g, '')).toBe(pieces.join('').replaceAll(/\s/g, ''))
    }),
  )
})

test('words wrap at spaces, Chinese between characters but not before its punctuation', () => {
  expect(show('one two three', 8)).toEqual(['one two', 'three'])
  expect(show('中文字，好', 6)).toEqual(['中文', '字，好'])
  expect(show('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
})

test('lists nest, and repeated numbers count', () => {
  expect(show('- a\n  - b\n    more\n- c')).toEqual(['• a', '  • b', '    more', '• c'])
  expect(show('1. a\n  - b\n    - c\n1. d\n1. e')).toEqual(['1. a', '   • b', '     • c', '2. d', '3. e'])
  expect(show('It was in\n2019. A year.')).toEqual(['It was in', '2019. A year.'])
})

test('code is not wrapped; rows that go on are marked', () => {
  expect(show('```ts\nconst a = "12345"\n\n  b\n```\nend', 12)).toEqual([
    '── ts',
    '  const a =',
    '↳ "12345"',
    '',
    '    b',
    '',
    'end',
  ])
  expect(show('```\nabcdefgh\n```', 6, false)).toEqual(['  abcd', '> efgh'])
})

test('quotes keep their bar on empty rows', () => {
  expect(show('> a\n>\n> b\n\nc')).toEqual(['│ a', '│', '│ b', '', 'c'])
  expect(show('> a', 40, false)).toEqual(['| a'])
})

test('tables align, wrap their cells, and become records where there is no room', () => {
  const table = '| k | num |\n|---|----:|\n| long cell here | 1 |'
  expect(show(table, 30)).toEqual(['k              │ num', '───────────────┼────', 'long cell here │   1'])
  expect(show(table, 15, false)).toEqual(['k         | num', '----------+----', 'long cell |   1', 'here      |'])
  expect(show('|a|b|c|\n|-|-|-|\n|one|two|three|', 8)).toEqual(['a: one', 'b: two', 'c: three'])
})

test('what is not finished shows what is there', () => {
  expect(show('a **b')).toEqual(['a **b'])
  expect(show('a `b')).toEqual(['a `b'])
  expect(show('[text](https://a')).toEqual(['[text](https://a'])
  expect(show('```py\nx = 1')).toEqual(['── py', '  x = 1'])
  expect(show('| a | b |\n|--')).toEqual(['a │ b', '──┼──'])
  expect(show('| a | b |\n|---|---|\n| 1')).toEqual(['a │ b', '──┼──', '1'])
  expect(show('- ')).toEqual(['•'])
  expect(show('-\n  a')).toEqual(['• a'])
})

test('escape sequences are gone', () => {
  const hostile = '\u001b]52;c;aGk=\u0007a\u001b[31mb\u009b2Jc `\u001b[0md` \u202ee [l](https://x/\u001b]8;;y\u0007)'
  expect(show(hostile)).toEqual(['abc `d` e l (https://x/)'])
})

const hostile: Record<string, string> = {
  backticks: '`'.repeat(100_000),
  'backticks of all lengths': Array.from({ length: 1000 }, (_, length) => '`'.repeat(length)).join(' '),
  brackets: '['.repeat(100_000) + ']('.repeat(100_000),
  'half links': '[a](http://'.repeat(50_000),
  'parentheses in a link': `[a](http://${'(a)'.repeat(100_000)}`,
  pipes: `${'|'.repeat(100_000)}\n${'|-'.repeat(100_000)}\n${'|'.repeat(100_000)}`,
  stars: '*a**b_c'.repeat(50_000),
  'one run of stars': `${'*'.repeat(100_000)}a${'*'.repeat(100_000)}`,
  quotes: '>'.repeat(100_000),
  dashes: '- '.repeat(100_000),
  'a line of 1 MB': 'x'.repeat(1_000_000),
  'code of 1 MB': `\`\`\`ts\n${'"/*'.repeat(350_000)}`,
  spaces: `- ${' '.repeat(1_000_000)}x`,
  hashes: `# ${'#'.repeat(500_000)}x`,
  accents: `a${'\u0301'.repeat(500_000)}`,
}
test.each(Object.entries(hostile))('hostile text takes bounded time: %s', (_, text) => {
  const start = performance.now()
  layoutMarkdown(text, 80, { isUnicode: true })
  expect(performance.now() - start).toBeLessThan(10_000)
})
