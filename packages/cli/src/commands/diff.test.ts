import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { entry, writeLog } from '../testing/write-log.ts'

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.25 } }
const answer = (text: string) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  provider: 'p',
  model: 'm',
  usage,
})

function twoAnswers(): string {
  return writeLog([
    entry('ask', null, { role: 'user', content: 'List them' }),
    entry('old', 'ask', answer('one\ntwo\nthree')),
    entry('new', 'ask', answer('one\n2\nthree')),
    entry('more', 'new', { role: 'user', content: 'Thanks' }),
  ])
}

test('two branches from where they part, with what each cost, and the first difference line by line', async () => {
  const { code, stdout } = await runTreeline(['diff', twoAnswers(), 'old', 'leaf'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^They part after ask {2}List them\n/)
  expect(stdout).toMatch(/A: old {2}1 node, about 4 tokens, \$0\.25, p\/m\n/)
  expect(stdout).toMatch(/B: more {2}2 nodes, about 5 tokens, \$0\.25, p\/m\n/)
  expect(stdout).toMatch(/The first assistant message {2}- A {2}\+ B\n {2}one\n- two\n\+ 2\n {2}three\n/)
})

test('the document has the ancestor and both sides', async () => {
  const { ancestorId, a, b } = (await callTreeline(['diff', twoAnswers(), 'old', 'more', '--json'])).json()
  expect(ancestorId).toBe('ask')
  expect(a).toEqual({
    leafId: 'old',
    nodes: [{ id: 'old', type: 'message', role: 'assistant', text: 'one\ntwo\nthree', tokens: 4 }],
    tokens: 4,
    cost: 0.25,
    models: ['p/m'],
  })
  expect(b.nodes.map(({ id }: { id: string }) => id)).toEqual(['new', 'more'])
})

test('one branch that is the beginning of the other, and two that share nothing', async () => {
  const path = twoAnswers()
  const { stdout } = await callTreeline(['diff', path, 'ask', 'more'])
  expect(stdout).toMatch(/A: ask {2}0 nodes.*\n {2}Nothing of its own/)
  const roots = writeLog([
    entry('a', null, { role: 'user', content: 'x' }),
    entry('b', null, { role: 'user', content: 'y' }),
  ])
  expect((await callTreeline(['diff', roots, 'a', 'b'])).stdout).toMatch(/^They share nothing\./)
  expect((await callTreeline(['diff', roots, 'a', 'b', '--json'])).json().ancestorId).toBeNull()
})

test('names that mean no node, or too few of them', async () => {
  const { home, cwd, path } = await sampleHome()
  expect((await callTreeline(['diff', path, 'leaf', 'nobody'], { home, cwd })).code).toBe(3)
  const vague = await callTreeline(['diff', path, 'leaf', 'ask'], { home, cwd })
  expect([vague.code, vague.stderr]).toEqual([
    4,
    expect.stringMatching(/3 nodes fit "ask": ask00001, ask00002, ask00003/),
  ])
  expect((await callTreeline(['diff', path, 'leaf'], { home, cwd })).stderr).toMatch(/B is missing/)
})
