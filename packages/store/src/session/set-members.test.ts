import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMember, setMembers } from './set-members.ts'

const set = (text: string, members: Readonly<Record<string, string>>): string | undefined => {
  const made = setMembers(Buffer.from(text), members)
  return made && Buffer.from(made).toString()
}

test('gives members other values and leaves every other byte', () => {
  const text = '{ "b" : {"id":1} ,"id": "x\\"}" ,\t"n":1.0,"list":[{"id":"[}"}] }'
  expect(set(text, { id: '"y"' })).toBe('{ "b" : {"id":1} ,"id": "y" ,\t"n":1.0,"list":[{"id":"[}"}] }')
  expect(set(text, { n: 'null', id: '1' })).toBe('{ "b" : {"id":1} ,"id": 1 ,\t"n":null,"list":[{"id":"[}"}] }')
})

test('a member is read as it stands there, of one that is there twice the last', () => {
  const read = (text: string) => readMember(Buffer.from(text), 'a')?.toString()
  expect(read('{"b":{"a":1},"a": {"n":1.0} ,"c":2}')).toBe('{"n":1.0}')
  expect(read('{"a":1,"a":2.0}')).toBe('2.0')
  expect([read('{"b":1}'), read('{"\\u0061":1}'), read('[]')]).toEqual([undefined, undefined, undefined])
})

test('what is not there comes last, and what is there twice is the same both times', () => {
  expect(set('{}', { a: '1', b: '2' })).toBe('{"a":1,"b":2}')
  expect(set('{"a":0}', { b: '2' })).toBe('{"a":0,"b":2}')
  expect(set('{"a":0,"a":1}', { a: '2' })).toBe('{"a":2,"a":2}')
})

test.each([
  '',
  '[]',
  '1',
  '{',
  '{"a"',
  '{"a":}',
  '{"a":1',
  '{"a":1,}',
  '{"a":1}x',
  '{"\\u0061":1}',
  '{"a":"x',
  '{a:1}',
])('is for whoever parses it: %s', (text) => {
  expect(set(text, { a: '2' })).toBeUndefined()
})

test('is the object with these members, whatever it holds', () => {
  const value = fc.object({ key: fc.oneof(fc.constantFrom('id', 'parentId', 'a'), fc.string()), maxDepth: 3 })
  fc.assert(
    fc.property(value, fc.json(), (object, json) => {
      const text = JSON.stringify(object)
      const made = set(text, { id: json })
      if (made === undefined) expect(text).toContain('\\')
      else expect(JSON.parse(made)).toEqual({ ...JSON.parse(text), id: JSON.parse(json) })
    }),
  )
})
