import { expect, test } from 'vitest'
import { wrapText } from './wrap-text.ts'

test('lines that fit stay as they are, with all their blanks', () => {
  expect(wrapText('  a   b\n\n*  c', 7)).toBe('  a   b\n\n*  c')
})

test('Chinese is broken between any two characters, but no line begins with its punctuation', () => {
  expect(wrapText('从这里继续。之前的', 10)).toBe('从这里继\n续。之前的')
  expect(wrapText('按 Enter 发送，Esc 停止', 14)).toBe('按 Enter 发\n送，Esc 停止')
})

test('what goes on below stands where its beginning stands', () => {
  expect(wrapText('  one two three', 9)).toBe('  one two\n  three')
})
