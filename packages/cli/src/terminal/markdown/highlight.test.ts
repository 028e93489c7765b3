import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

const marks = (code: string, language: string): string =>
  highlight(code.split('\n'), language)
    .map((line) =>
      line
        .map(({ text, color, dim, bold }) => {
          const name = dim ? 'dim' : bold ? 'bold' : color
          return name === undefined ? text : `<${name}:${text}>`
        })
        .join(''),
    )
    .join('\n')

test.each([
  ['ts', "const a = 'x\\'y' // z", "<magenta:const> a = <green:'x\\'y'> <dim:// z>"],
  ['ts', 'a /* b\nc */ 1.5', 'a <dim:/* b>\n<dim:c */> <yellow:1.5>'],
  ['tsx', '`a\nb` "c\nd', '<green:`a>\n<green:b`> <green:"c>\nd'],
  ['json', '{"a": [1, true]}', '{<green:"a">: [<yellow:1>, <magenta:true>]}'],
  ['py', 'def f(): """a\nb""" # c', '<magenta:def> f(): <green:"""a>\n<green:b"""> <dim:# c>'],
  ['sh', 'echo a#b # c', '<magenta:echo> a#b <dim:# c>'],
  ['go', 'func f() {}', '<magenta:func> f() {}'],
  ['rust', "fn f<'a>(x: &'a str)", "<magenta:fn> f<'a>(x: &'a <magenta:str>)"],
  ['sql', "SELECT 'a' -- b", "<magenta:SELECT> <green:'a'> <dim:-- b>"],
  ['css', '@media { a { top: 10px } } /* b */', '<magenta:@media> { a { top: <yellow:10px> } } <dim:/* b */>'],
  [
    'html',
    '<a href="b">don\'t</a><!-- c -->',
    '<magenta:<a> href=<green:"><green:b"><magenta:>>don\'t<magenta:</a><magenta:>><dim:<!--><dim: c -->>',
  ],
  ['diff', '+a\n-b\n@@ 1\n c', '<green:+a>\n<red:-b>\n<cyan:@@ 1>\n c'],
  ['constructor', 'const a', 'const a'],
])('%s %s', (language, code, expected) => {
  expect(marks(code, language)).toBe(expected)
})
