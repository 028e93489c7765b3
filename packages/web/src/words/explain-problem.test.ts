import { ERROR_CODES } from '@treeline/core'
import { RefusedError } from '@treeline/protocol'
import { afterEach, expect, test } from 'vitest'
import { explainProblem, explainRefusal } from './explain-problem.ts'
import { language } from './language.ts'
import { problemText } from './problem-texts.ts'

const problem = { type: 'about:blank', title: 'Full', status: 429, requestId: 'r1' }

afterEach(() => language.set('en'))

test('a refusal says what happened and what to do, without ids', () => {
  const refused = new RefusedError({ ...problem, code: 'node_detached', detail: 'Node a1 is in the stash.' })
  expect(explainProblem(refused)).toBe('This message is in the stash by now. Put it back before you go on from it.')
})

test('where the code says too little, the server’s words follow on a line of their own', () => {
  const refused = new RefusedError({ ...problem, code: 'validation_failed', detail: 'Operation 2: no.' })
  expect(explainProblem(refused)).toBe('The server does not take this.\nOperation 2: no.')
})

test.each(ERROR_CODES)('$code is explained in both languages', ({ code }) => {
  const english = problemText(code)
  expect(english).toMatch(/^[A-Z].*\.$/)
  language.set('zh')
  expect(problemText(code)).toMatch(/^[^a-z]*\p{sc=Han}.*。$/u)
  expect(explainRefusal(code, 'In the words of the server.').split('\n')[0]).toBe(problemText(code))
})

test('of a code that nobody knows here, the server’s words', () => {
  expect(explainRefusal('newer_than_this_page', 'What it says.')).toBe('What it says.')
})

test('a server that does not answer is named as what it is', () => {
  expect(explainProblem(new TypeError('Failed to fetch'))).toMatch(/cannot be reached/)
})

test('anything else says what it says', () => {
  expect(explainProblem(new Error('odd'))).toBe('odd')
  expect(explainProblem('odd')).toBe('odd')
})
