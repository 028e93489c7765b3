import { expect, test } from 'vitest'
import { matchText } from './match-text.ts'

test('a term without case is found as it stands, whatever stands before it', () => {
  const found = { at: 9, of: 'text', term: '日本語' }
  expect(matchText('istanbul 日本語', ['日本語'])).toEqual(found)
  // In lower case these are longer than they were.
  expect(matchText('İSTANBUL 日本語', ['日本語'])).toEqual(found)
  expect(matchText('ΑΒΓ, ß: 421 日本語', ['日本語', '421'])).toEqual({ at: 8, of: 'text', term: '421' })
})

test('a term without case is found also where only folding shows it', () => {
  expect(matchText('ab 日\u200b本語', ['日本語'])).toEqual({ at: 3, of: 'folded', term: '日本語' })
  expect(matchText('ab １２３', ['123'])).toEqual({ at: 3, of: 'folded', term: '123' })
  expect(matchText('日本 語', ['日本語'])).toBeUndefined()
})

test('beside a term with case one without it is found all the same', () => {
  expect(matchText('日本語 ERROR', ['error', '日本語'])).toEqual({ at: 0, of: 'text', term: '日本語' })
  expect(matchText('日本語 ERRO', ['error', '日本語'])).toBeUndefined()
})
