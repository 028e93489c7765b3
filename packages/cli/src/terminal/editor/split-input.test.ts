import { expect, test } from 'vitest'
import { splitInput } from './split-input.ts'

/** Text as it is, keys as `^R` and `Tab`. */
const told = (input: string) =>
  splitInput(input).map((piece) => (piece.isTab ? 'Tab' : `${piece.isCtrl ? '^' : ''}${piece.input}`))

test.each<[string, readonly string[]]>([
  ['text', ['text']],
  ['', ['']],
  ['half a thought\u0012', ['half a thought', '^r']],
  ['/mo\t', ['/mo', 'Tab']],
  ['a\tb', ['a\tb']],
  ['\u0018\u0005x', ['^x', '^e', 'x']],
  ['a\u0005b', ['a\u0005b']],
  ['quick\r', ['quick\r']],
  ['two\r\u0012lines', ['two\r\u0012lines']],
])('%j', (input, pieces) => {
  expect(told(input)).toEqual(pieces)
})
