import { expect, test } from 'vitest'
import { describeCall, firstLine } from './describe-call.ts'

test('what says most about a call stands in its line', () => {
  expect(describeCall({ timeout: 5, command: 'npm test\n  --all' })).toBe('npm test --all')
  expect(describeCall({ pattern: 'x', path: 'src' })).toBe('src x')
  expect(describeCall({ depth: 2 })).toBe('{"depth":2}')
  expect(describeCall({})).toBe('')
  expect(describeCall(undefined)).toBe('')
})

test('a line is short, and no character of it is cut in half', () => {
  expect(describeCall('a'.repeat(500))).toHaveLength(100)
  expect(describeCall(`${'a'.repeat(98)}🙂🙂`)).toBe(`${'a'.repeat(98)}…`)
  expect(firstLine('\n\none\ntwo')).toBe('one')
})
