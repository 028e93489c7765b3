import { expect, test } from 'vitest'
import { toSpecs } from './ask-choice.ts'

test('whoever the session is set to is asked once when nothing is chosen', () => {
  expect(toSpecs({ models: [], times: 1 })).toEqual([{}])
})

test('each model is asked as often as wanted, and no more are asked than the server takes', () => {
  expect(toSpecs({ models: ['a/b', 'c/d'], times: 2 })).toEqual([
    { model: 'a/b' },
    { model: 'c/d' },
    { model: 'a/b' },
    { model: 'c/d' },
  ])
  expect(toSpecs({ models: ['a/b', 'c/d', 'e/f'], times: 5 })).toHaveLength(8)
})
