import { expect, test } from 'vitest'
import { wrap, wrapBeside } from './wrap.ts'

test('text is wrapped at spaces, and lines it has stay apart', () => {
  expect([...wrap('one two three four\n\nfive', 9)]).toEqual(['one two', 'three', 'four', '', 'five'])
})

test('a word longer than a line is broken after its commas', () => {
  expect([...wrap('{"a","bb","ccc","dddd"}', 10)]).toEqual(['{"a","bb",', '"ccc",', '"dddd"}'])
})

test('wide characters count as two columns', () => {
  expect([...wrap('漢字 漢字', 6)]).toEqual(['漢字', '漢字'])
})

test('a term stands beside its meaning, or above it when it is long', () => {
  expect([...wrapBeside('-a', 5, 'meaning of it all here', 26)]).toEqual(['-a    meaning of it all', '      here'])
  expect([...wrapBeside('--long-option', 5, 'meaning', 26)]).toEqual(['--long-option', '      meaning'])
})
