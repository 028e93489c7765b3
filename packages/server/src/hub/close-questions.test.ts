import { type DurableEvent, routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { APPROVAL_TYPE } from '../wire/approval-event.ts'
import { toApprovalId } from '../wire/approval-id.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** An answer that calls a tool twice, beside others under one question. */
async function callTools(session: Session, id: string): Promise<void> {
  const call = (callId: string) => ({ type: 'toolCall', id: callId, name: 'write', arguments: {} })
  const message = { role: 'assistant', content: [call('c1'), call('c2')], stopReason: 'toolUse', timestamp: 1 }
  await session.append({ type: 'message', id, message }, { parentId: 'u', leaf: 'stay' })
}

async function say(session: Session, nodeId: string, toolCallId: string, data: object): Promise<void> {
  const entry = { type: 'custom', customType: APPROVAL_TYPE, data: { toolCallId, nodeId, name: 'write', ...data } }
  await session.append(entry, { parentId: nodeId, leaf: 'stay' })
}

const resolvedIn = async (sessionId: string): Promise<readonly DurableEvent[]> => {
  const { events } = await server.call(routes.getEvents, { params: { sessionId }, query: { afterSeq: 1 } })
  return events.filter(({ type }) => type === 'approval.resolved') as DurableEvent[]
}

test('a question that was open when its process died is taken away when the session is opened next, on any branch, once', async () => {
  await using session = await server.store.create({ cwd: '/tmp' })
  const message = { role: 'user', content: 'Write', timestamp: 1 }
  await session.append({ type: 'message', id: 'u', message })
  for (const id of ['dead', 'answered', 'alive', 'second']) await callTools(session, id)
  await say(session, 'dead', 'c1', { shown: 'write a', writer: 'gone' })
  await say(session, 'answered', 'c1', { shown: 'write b', writer: 'gone' })
  await say(session, 'answered', 'c1', { decision: 'once' })
  await say(session, 'alive', 'c1', { shown: 'write c', writer: session.writer })
  await say(session, 'second', 'c1', { decision: 'once' })
  const result = { role: 'toolResult', toolCallId: 'c1', toolName: 'write', content: [], isError: false, timestamp: 1 }
  await session.append({ type: 'message', message: result }, { parentId: 'second', leaf: 'stay' })
  await say(session, 'second', 'c2', { shown: 'write d', writer: 'gone' })
  const { leafId } = session
  const taken = (await resolvedIn(session.id)).slice(2)
  const denied = { type: 'approval.resolved', decision: 'deny', reason: 'interrupted' }
  expect(taken).toMatchObject([
    { ...denied, approvalId: toApprovalId('dead', 'c1') },
    { ...denied, approvalId: toApprovalId('second', 'c2') },
  ])
  expect(taken).toHaveLength(2)
  await server.server.services.hub.evict(session.id)
  expect(await resolvedIn(session.id)).toHaveLength(4)
  await session.refresh()
  expect(session.leafId).toBe(leafId)
})

test('I3 a question under a node that is not there does not keep the session from being opened', async () => {
  await using session = await server.store.create({ cwd: '/tmp' })
  await session.append({ type: 'message', id: 'u', message: { role: 'user', content: 'Write', timestamp: 1 } })
  await callTools(session, 'asks')
  const about = { toolCallId: 'c1', nodeId: 'nowhere', name: 'write', shown: 'write a' }
  await session.append({ type: 'custom', customType: APPROVAL_TYPE, data: about }, { parentId: 'asks', leaf: 'stay' })
  await say(session, 'asks', 'c2', { shown: 'write b', writer: 'gone' })
  expect(await resolvedIn(session.id)).toMatchObject([{ approvalId: toApprovalId('asks', 'c2'), decision: 'deny' }])
})
