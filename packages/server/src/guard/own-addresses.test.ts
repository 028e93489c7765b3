import { expect, test } from 'vitest'
import { ownAddresses } from './own-addresses.ts'

test('a URL becomes the Host and the Origin that browsers send', () => {
  const { hosts, origins } = ownAddresses(['http://127.0.0.1:4123', 'http://[0:0::1]:4123', 'HTTPS://Notes.Example'])
  expect([...hosts]).toEqual(['127.0.0.1:4123', '[::1]:4123', 'notes.example', 'notes.example:443'])
  expect([...origins]).toEqual(['http://127.0.0.1:4123', 'http://[::1]:4123', 'https://notes.example'])
})

test('a default port may be named or left out in a Host, and never stands in an Origin', () => {
  const { hosts, origins } = ownAddresses(['http://localhost:80'])
  expect([...hosts]).toEqual(['localhost', 'localhost:80'])
  expect([...origins]).toEqual(['http://localhost'])
})

test.each([
  '',
  'localhost:4123',
  'file:///tmp',
  'data:,x',
  'https://me:pw@name',
  'https://name/path',
  'https://name?q',
])('%j is refused: its origin would be another, or that of every page', (url) => {
  expect(() => ownAddresses([url])).toThrow(expect.objectContaining({ code: 'validation_failed' }))
})
