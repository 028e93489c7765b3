import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseGlob } from './glob.ts'

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'x/y/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['/*.ts', 'x/a.ts', false],
  ['./*.ts', 'a.ts', true],
  ['src/*', 'src/a', true],
  ['src/*', 'src/a/b', false],
  ['src/**', 'src/a/b', true],
  ['**/a', 'a', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'x/a/b', false],
  ['a?c', 'abc', true],
  ['a?c', 'a😀c', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]]x', ']x', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['{a,b}.{c,d}', 'b.c', true],
  ['{a,b}.{c,d}', 'c.c', false],
  ['{a', '{a', true],
  ['[', '[', true],
  ['.*', '.env', true],
])('%s and %s: %s', (glob, path, expected) => {
  expect(parseGlob(glob)(path)).toBe(expected)
})

test('no pattern takes long, however many stars it has', () => {
  const startedAt = performance.now()
  expect(parseGlob(`${'*a'.repeat(200)}b`)('a'.repeat(5000))).toBe(false)
  expect(parseGlob(`${'**/a/'.repeat(100)}b`)('a/'.repeat(2000))).toBe(false)
  expect(parseGlob('{a,b}'.repeat(50))('c')).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

test('any pattern is survived', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (glob, path) => typeof parseGlob(glob)(path) === 'boolean'))
})
