import { expect, test } from 'vitest'
import { textToEdit, withText } from './message-actions.ts'

const image = { type: 'image', blob: 'blob:sha256:00', mimeType: 'image/png' } as const
const file = { type: 'text', text: '<file path="a">\nx\n</file>' } as const

const role = 'user' as const

test('words alone are edited as words', () => {
  expect(textToEdit({ role, content: 'old' })).toBe('old')
  expect(withText({ role }, 'new')).toBe('new')
})

test('what goes with a question stays with it when it is said differently', () => {
  const parts = [{ type: 'text' as const, text: 'old' }, file, image]
  expect(textToEdit({ role, content: 'old\n<file…', parts })).toBe('old')
  expect(withText({ role, parts }, 'new')).toEqual([{ type: 'text', text: 'new' }, file, image])
})

test('a picture without words gets some', () => {
  expect(textToEdit({ role, content: '', parts: [image] })).toBe('')
  expect(withText({ role, parts: [image] }, 'new')).toEqual([{ type: 'text', text: 'new' }, image])
})

test('an answer in other words is text alone', () => {
  const answer = { role: 'assistant' as const, content: 'said', parts: [{ type: 'reasoning' as const, text: 'hm' }] }
  expect(textToEdit(answer)).toBe('said')
  expect(withText(answer, 'new')).toBe('new')
})
