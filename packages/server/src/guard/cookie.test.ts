import { expect, test } from 'vitest'
import { findCookieSecret, formatCookie } from './cookie.ts'

test('no script can read the cookie and no other site can make a browser send it', () => {
  const plain = formatCookie('abc', { isSecure: false })
  expect(plain.split('; ')).toEqual(['treeline=abc', 'Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
  expect(formatCookie('abc', { isSecure: true })).toBe(`${plain}; Secure`)
})

test('what was set is found again among others', () => {
  const [pair] = formatCookie('abc', { isSecure: false }).split(';')
  expect(findCookieSecret([`a=treeline=x; ${pair}; b`])).toBe('abc')
  expect(findCookieSecret([])).toBeUndefined()
})
