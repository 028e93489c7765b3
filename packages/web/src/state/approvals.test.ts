import { expect, test } from 'vitest'
import { type Approval, Approvals } from './approvals.ts'

const common = { seq: 1, version: 1, ts: '2024-01-01T00:00:00.000Z', sessionId: 's1' }
const asked = (approvalId: string): Approval => ({
  ...common,
  type: 'approval.requested',
  approvalId,
  nodeId: 'n1',
  tool: 'bash',
  input: { command: 'date' },
  shown: 'date',
})
const idsOf = (approvals: Approvals) => approvals.waiting.map(({ approvalId }) => approvalId)

test('a question waits until somebody has answered it', () => {
  const approvals = new Approvals()
  for (const id of ['a1', 'a2', 'a1']) approvals.apply(asked(id))
  expect(idsOf(approvals)).toEqual(['a2', 'a1'])
  approvals.apply({ ...common, type: 'approval.resolved', approvalId: 'a2', decision: 'deny' })
  approvals.apply({ ...common, type: 'approval.resolved', approvalId: 'unknown', decision: 'once' })
  expect(idsOf(approvals)).toEqual(['a1'])
  approvals.forget('a1')
  expect(idsOf(approvals)).toEqual([])
})
