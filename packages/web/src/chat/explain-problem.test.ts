import { RefusedError } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { explainProblem } from './explain-problem.ts'

test('a refusal says what happened and what to do', () => {
  const problem = { type: 'about:blank', title: 'Full', status: 429, code: 'too_many_generations', requestId: 'r1' }
  expect(explainProblem(new RefusedError({ ...problem, detail: '8 answers are being written.' }))).toBe(
    '8 answers are being written. Stop one of the answers, or wait until one is done.',
  )
})

test('a server that does not answer is named as what it is', () => {
  expect(explainProblem(new TypeError('Failed to fetch'))).toMatch(/cannot be reached/)
})

test('anything else says what it says', () => {
  expect(explainProblem(new Error('odd'))).toBe('odd')
  expect(explainProblem('odd')).toBe('odd')
})
