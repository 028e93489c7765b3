import { expect, test } from 'vitest'
import { language } from '../words/language.ts'
import { formatAgo } from './format-ago.ts'

const now = Date.parse('2026-03-10T12:00:00.000Z')

test.each([
  [0, /^now$/],
  [59_000, /^now$/],
  [60_000, /^1 ?m/],
  [26 * 3_600_000, /^yesterday$/],
  [20 * 86_400_000, /^2 ?w/],
  [400 * 86_400_000, /^last y/],
  [-5_000, /^now$/],
])('%i ms ago', (ms, said) => {
  expect(formatAgo(now - ms, now)).toMatch(said)
})

test('in Chinese a blank stands before what is counted', () => {
  language.set('zh')
  expect(formatAgo(now - 2 * 3_600_000, now)).toMatch(/^2 \p{sc=Han}/u)
  language.set('en')
})
