import { createMemoryStorage, openMemoryStore, type Session } from '@treeline/store'
import { expect, test } from 'vitest'
import { applyAnswer } from './apply-answer.ts'
import type { ApprovalAnswer } from './approval.ts'

const ASKED = { nodeId: 'aaaaaaaa', toolCallId: 'call-1', toolName: 'bash' }

async function approvals(session: Session): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const entry of session.entries()) if (entry.customType === 'treeline/approval') found.push(entry.data)
  return found
}

async function openSession() {
  const storage = createMemoryStorage()
  const store = await openMemoryStore({ storage })
  const session = await store.create({})
  const { id } = await session.append({ type: 'message', id: ASKED.nodeId, message: { role: 'user', content: 'hi' } })
  return { storage, store, session, leafId: id }
}

test('every answer is in the log and moves nothing', async () => {
  const { session, leafId } = await openSession()
  const answers: ApprovalAnswer[] = [
    { decision: 'once' },
    { decision: 'deny' },
    { decision: 'deny', reason: 'no\ud800' },
  ]
  for (const answer of answers) await applyAnswer(session, ASKED, answer)
  const told = { nodeId: 'aaaaaaaa', toolCallId: 'call-1', name: 'bash' }
  expect(await approvals(session)).toEqual([
    { ...told, decision: 'once' },
    { ...told, decision: 'deny' },
    { ...told, decision: 'deny', reason: 'no\ufffd' },
  ])
  expect(session.leafId).toBe(leafId)
  expect(session.config).toMatchObject({ approvalMode: 'default', approvalTools: [] })
})

test('C1 an answer is written also while the conversation goes on elsewhere, at one that is being generated', async () => {
  const { session } = await openSession()
  const data = { nodeId: 'bbbbbbbb', parentId: ASKED.nodeId, model: 'a/b' }
  await session.append({ type: 'custom', customType: 'treeline/generation', data })
  await applyAnswer(session, ASKED, { decision: 'tool' })
  expect(await approvals(session)).toHaveLength(1)
  expect(session.leafId).toBe('bbbbbbbb')
})

test('what was allowed for the session is there after a restart', async () => {
  const { storage, store, session, leafId } = await openSession()
  await applyAnswer(session, ASKED, { decision: 'tool' })
  await applyAnswer(session, ASKED, { decision: 'tool' })
  await applyAnswer(session, { ...ASKED, toolName: 'edit' }, { decision: 'edits' })
  await store.close()
  await using again = await openMemoryStore({ storage })
  const { config, leafId: leaf } = await again.open(session.id)
  expect(config).toMatchObject({ approvalMode: 'autoEdit', approvalTools: ['bash'] })
  expect(leaf).toBe(leafId)
})

test('answers that come at once, and from another process, all count', async () => {
  const { storage, session } = await openSession()
  await using elsewhere = await openMemoryStore({ storage })
  const other = await elsewhere.open(session.id)
  await applyAnswer(other, { ...ASKED, toolName: 'write' }, { decision: 'tool' })
  const names = ['bash', 'edit', 'mine', 'bash']
  await Promise.all(names.map((toolName) => applyAnswer(session, { ...ASKED, toolName }, { decision: 'tool' })))
  expect(session.config.approvalTools).toEqual(['write', 'bash', 'edit', 'mine'])
})

test('allowing edits takes nothing back from a session that allows everything', async () => {
  const { session } = await openSession()
  await session.setConfig({ approvalMode: 'yolo' })
  await applyAnswer(session, ASKED, { decision: 'edits' })
  expect(session.config.approvalMode).toBe('yolo')
})

test('an answer that cannot be written is not taken for one that was', async () => {
  const { store, session } = await openSession()
  await store.close()
  await expect(applyAnswer(session, ASKED, { decision: 'tool' })).rejects.toThrow()
})
