import { expect, test } from 'vitest'
import { explainFailure, unwrap } from './explain-failure.ts'

test('what a provider says in JSON is unwrapped, and nothing else is changed', () => {
  expect(unwrap('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')).toBe(
    '529 Overloaded',
  )
  expect(unwrap('{"message":"No such model"}')).toBe('No such model')
  expect(unwrap('{"error":"quota"}')).toBe('quota')
  for (const other of ['plain words', 'a {b} c', '{broken}', '{"code":7}', '']) expect(unwrap(other)).toBe(other)
})

test('a failure says what happened, and below it what the provider says', () => {
  expect(explainFailure({ status: 'complete' })).toBeUndefined()
  expect(explainFailure({ status: 'error', metadata: { error: '500 {"message":"Oh"}' } })).toBe(
    'The model could not be asked, or did not answer.\n500 Oh',
  )
  expect(explainFailure({ status: 'error', metadata: { error: 'interrupted' } })).toMatch(/kept/)
})
