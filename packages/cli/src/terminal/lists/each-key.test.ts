import type { Key } from 'ink'
import { expect, test } from 'vitest'
import { eachKey } from './each-key.ts'

const NONE = {} as Key

function named(input: string): string[] {
  return eachKey(input, NONE).map(({ input: typed, key }) => {
    const flags = Object.entries(key).flatMap(([name, isOn]) => (isOn ? [name] : []))
    return [...flags, ...(typed === '' ? [] : [typed])].join('+')
  })
}

test('keys that come in one piece are told apart', () => {
  expect(named('\u0015\u000c')).toEqual(['ctrl+u', 'ctrl+l'])
  expect(named('coat\u007fs\r')).toEqual(['coat', 'backspace', 's', 'return'])
  expect(named('\t\r')).toEqual(['tab', 'return'])
})

test('one key is what Ink says it is, and a pasted text is one text', () => {
  expect(named('a')).toEqual(['a'])
  expect(named('a long word')).toEqual(['a long word'])
  expect(named('one\rtwo\nthree')).toEqual(['one', ' ', 'two', ' ', 'three'])
  expect(eachKey('u', { ...NONE, ctrl: true })).toEqual([{ input: 'u', key: { ctrl: true } }])
})
