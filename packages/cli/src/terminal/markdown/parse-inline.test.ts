import { expect, test } from 'vitest'
import { parseInline } from './parse-inline.ts'

const marks = (text: string): string =>
  parseInline(text)
    .map((run) => {
      const style = [run.bold && 'b', run.italic && 'i', run.underline && 'u', run.dim && 'd', run.color && 'c']
      const name = style.filter(Boolean).join('')
      return name === '' ? run.text : `<${name}:${run.text}>`
    })
    .join('')

test.each([
  ['**a** *b* __c__ _d_', '<b:a> <i:b> <b:c> <i:d>'],
  ['***a***', '<bi:a>'],
  ['**a *b* c**', '<b:a ><bi:b><b: c>'],
  ['**bold**s', '<b:bold>s'],
  ['中文**粗体。**中文', '中文<b:粗体。>中文'],
  ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
  ['a * b * c', 'a * b * c'],
  ['f(*args, **kwargs)', 'f(*args, **kwargs)'],
  ['\\*a\\* C:\\dir', '*a* C:\\dir'],
  ['`a *b*` ``c`d``', '<d:`><c:a *b*><d:`> <d:``><c:c`d><d:``>'],
  ['[**a** b](https://x.y/z_(q) "t")!', '<bu:a><u: b><d: (https://x.y/z_(q))>!'],
  ['![pic](https://x.y/p.png)', '<u:pic><d: (https://x.y/p.png)>'],
  ['[https://x.y](https://x.y) <mailto:a@b.c>', '<u:https://x.y> <u:mailto:a@b.c>'],
  ['[a@b.c](mailto:a@b.c)', '<u:a@b.c>'],
  ['[a](javascript:alert) [b](file:///etc) [c](./d.md)', '[a](javascript:alert) [b](file:///etc) [c](./d.md)'],
  ['a[0] and [x] (y)', 'a[0] and [x] (y)'],
])('%s', (text, expected) => {
  expect(marks(text)).toBe(expected)
})
