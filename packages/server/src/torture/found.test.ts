import { type ChatHistoryTree, routes } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { growSession } from '../handlers/edit/testing/edit-session.ts'
import { ask } from '../testing/ask.ts'
import { startFuzzed } from './start-fuzzed.ts'

test('an empty label is none: the answer is begun, and not refused behind its back', async () => {
  await using server = await startFuzzed()
  const sessionId = await growSession(server)
  const body = { specs: [{ label: '' }, { label: 'Second' }] }
  const { status } = await ask(server, routes.generate, { params: { sessionId, nodeId: 'u3' }, body })
  expect(status).toBe(202)
  const tree = (await ask(server, routes.getTree, { params: { sessionId } })).body as ChatHistoryTree
  expect(tree.nodes.u3!.childrenIds.map((id) => tree.nodes[id]?.metadata?.labels)).toEqual([
    undefined,
    undefined,
    ['Second'],
  ])
})
