import { expect, test } from 'vitest'
import { planEdit } from '../edit/plan.ts'
import type { Entry } from '../entry/entry.ts'
import { runSteps } from '../steps.ts'
import { TestLog } from '../testing/make-tree.ts'
import { linePath } from '../tree/path.ts'
import { findIncompleteToolCallsOnPath } from './incomplete-on-path.ts'

function entry(id: string, parentId: string | null, message: object): Entry {
  return { type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', message }
}
function turn(id: string, parentId: string | null, callIds: readonly string[], stopReason = 'toolUse'): Entry {
  const content = callIds.map((callId) => ({ type: 'toolCall', id: callId, name: 'read', arguments: { path: callId } }))
  return entry(id, parentId, { role: 'assistant', content, stopReason })
}
function result(id: string, parentId: string, toolCallId: string): Entry {
  return entry(id, parentId, { role: 'toolResult', toolCallId, toolName: 'read', content: [], isError: false })
}
function open(log: TestLog, leafId: string): string[] {
  const leaf = log.tree.ids.find(leafId)
  const path = linePath(log.tree, leaf)
  const read = (positions: readonly number[]) => positions.map((position) => log.bodyOf(path.refs[position]!))
  return runSteps(findIncompleteToolCallsOnPath(log.tree, leaf), read).map(
    ({ nodeId, toolCallId }) => `${nodeId}/${toolCallId}`,
  )
}

const user = entry('u', null, { role: 'user', content: 'go' })

test('X65 calls are matched with results by toolCallId on the path', () => {
  const log = new TestLog([user, turn('a', 'u', ['x', 'y']), result('r', 'a', 'y')])
  expect(open(log, 'r')).toEqual(['a/x'])
})

test('X69 results that hang side by side: each path misses the other one', () => {
  const log = new TestLog([user, turn('a', 'u', ['x', 'y']), result('r', 'a', 'x'), result('s', 'a', 'y')])
  expect(open(log, 'r')).toEqual(['a/y'])
  expect(open(log, 's')).toEqual(['a/x'])
})

test('X65 an id used twice needs two results, and a result before its call answers nothing', () => {
  const log = new TestLog([
    user,
    turn('a', 'u', ['x']),
    turn('b', 'a', ['x', 'z']),
    result('r', 'b', 'x'),
    turn('c', 'r', ['w']),
  ])
  expect(open(log, 'c')).toEqual(['a/x', 'b/z', 'c/w'])
})

test('a turn that failed asks for nothing', () => {
  expect(open(new TestLog([user, turn('a', 'u', ['x'], 'error')]), 'a')).toEqual([])
})

test('the path is the one after all edits', () => {
  const log = new TestLog([user, turn('a', 'u', ['x']), entry('v', null, { role: 'user', content: 'other' })])
  log.append(result('r', 'v', 'x'))
  expect(open(log, 'a')).toEqual(['a/x'])
  const { entry: edit } = planEdit(log.tree, log.tree.leaf, {
    operations: [{ op: 'graft', sourceId: 'r', targetId: 'a', mode: 'move' }],
  })
  log.append(edit!)
  expect(open(log, 'r')).toEqual([])
})

test('bodies of any shape are survived', () => {
  const odd = [null, 7, { type: 'toolCall' }, { type: 'toolCall', id: 9, name: {}, arguments: 'x' }]
  const log = new TestLog([
    entry('a', null, { role: 'assistant', content: odd }),
    entry('b', 'a', { role: 'assistant', content: 'text' }),
    entry('c', 'b', { role: 'toolResult' }),
  ])
  expect(open(log, 'c')).toEqual(['a/9'])
})
