import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectKeys } from '../../../../testing/collect-keys.ts'
import { chat } from './zh/chat.ts'
import { compare } from './zh/compare.ts'
import { zh } from './zh/index.ts'
import { line } from './zh/line.ts'
import { problems } from './zh/problems.ts'
import { sessions } from './zh/sessions.ts'
import { shell } from './zh/shell.ts'
import { tree } from './zh/tree.ts'

const { keys, unknown } = collectKeys(join(import.meta.dirname, '..'))
const pairs = Object.entries(zh)
const wrong = (isWrong: (chinese: string, english: string) => boolean) =>
  pairs.filter(([english, chinese]) => isWrong(chinese, english)).map(([, chinese]) => chinese)

test('every text is a literal, so that it can be translated', () => {
  expect(unknown).toEqual([])
})

test('every text has a translation, and every translation a text', () => {
  expect([...keys].filter(([key]) => !Object.hasOwn(zh, key))).toEqual([])
  expect(Object.keys(zh).filter((key) => !keys.has(key))).toEqual([])
})

test('no text is translated in two places', () => {
  const parts = [chat, compare, line, problems, sessions, shell, tree]
  expect(parts.reduce((sum, part) => sum + Object.keys(part).length, 0)).toBe(pairs.length)
})

test('a translation has the same values and keys in it as the text', () => {
  const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}|(?:Ctrl|Alt|Shift)\+\w+/g))].sort().join(' ')
  expect(wrong((chinese, english) => namesIn(chinese) !== namesIn(english))).toEqual([])
})

test('a translation is written as Chinese is: its own punctuation, a blank between it and Latin letters', () => {
  expect(wrong((chinese) => /\p{Cc}|\.\.\.|\p{sc=Han}["']|["']\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => /\p{sc=Han}[,.;:?!()]|[,.;:?!()]\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => /\p{sc=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => / [，。：；、？！（）]|[，。：；、？！（] /u.test(chinese))).toEqual([])
})
