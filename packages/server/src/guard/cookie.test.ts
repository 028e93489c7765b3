import { expect, test } from 'vitest'
import { cookieNameOf, findCookieSecret, formatCookie } from './cookie.ts'

test('no script can read the cookie and no other site can make a browser send it', () => {
  const plain = formatCookie('abc', 'http://127.0.0.1:4123')
  expect(plain.split('; ')).toEqual(['treeline-4123=abc', 'Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
})

test('over TLS it goes nowhere else, and no other host can have set it', () => {
  expect(formatCookie('abc', 'https://notes.example')).toMatch(/^__Host-treeline-443=abc; Path=\/; .*; Secure$/)
})

test('two servers of one host have each their own', () => {
  const names = ['http://a:4123', 'http://a:4124', 'https://a:4123', 'https://a', 'http://a'].map(cookieNameOf)
  expect(new Set(names).size).toBe(names.length)
})

test('what was set is found again among others', () => {
  const url = 'http://127.0.0.1:4123'
  const [pair] = formatCookie('abc', url).split(';')
  const other = formatCookie('xyz', 'http://127.0.0.1:41230').split(';')[0]
  expect(findCookieSecret([`a=treeline-4123=x; ${other}; ${pair}; b`], cookieNameOf(url))).toBe('abc')
  expect(findCookieSecret([], cookieNameOf(url))).toBeUndefined()
})
