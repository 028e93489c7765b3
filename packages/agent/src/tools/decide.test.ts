import { join } from 'node:path'
import { openFileStore, openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { setApprovalMode } from '../session-config/choices.ts'
import { makeTempProject } from '../testing/temp-project.ts'
import { applyAnswer } from './apply-answer.ts'
import type { ApprovalMode } from './approval.ts'
import { decide, readAllowed } from './decide.ts'

const READ = { name: 'read', effect: 'read' } as const
const EDIT = { name: 'edit', effect: 'edit' } as const
const BASH = { name: 'bash', effect: 'run' } as const

test.each<[ApprovalMode, string, string, string]>([
  ['default', 'run', 'ask', 'ask'],
  ['autoEdit', 'run', 'run', 'ask'],
  ['yolo', 'run', 'run', 'run'],
])('N24 %s: reading %s, editing %s, running %s', (mode, read, edit, run) => {
  expect([READ, EDIT, BASH].map((tool) => decide({ tool, mode, whitelist: [] }))).toEqual([read, edit, run])
})

test('N25 a tool on the list runs, and no other', () => {
  expect(decide({ tool: BASH, mode: 'default', whitelist: ['bash'] })).toBe('run')
  expect(decide({ tool: BASH, mode: 'default', whitelist: ['bas', 'edit'] })).toBe('ask')
})

test('an edit outside the project is asked about unless everything runs', () => {
  const outside = { tool: EDIT, whitelist: ['edit'], isOutsideProject: true } as const
  expect((['default', 'autoEdit', 'yolo'] as const).map((mode) => decide({ ...outside, mode }))).toEqual([
    'ask',
    'ask',
    'run',
  ])
  expect(decide({ ...outside, tool: READ, mode: 'default' })).toBe('run')
})

test('the mode of the settings counts until the session has set its own, and again when that is cleared', async () => {
  await using store = await openMemoryStore()
  const session = await store.create({})
  const modes: ApprovalMode[] = []
  const note = () => modes.push(readAllowed(session, { approvalMode: 'autoEdit' }).mode)
  note()
  await session.setConfig({ approvalMode: 'default' })
  note()
  await session.setConfig({ approvalMode: null })
  note()
  expect(modes).toEqual(['autoEdit', 'default', 'autoEdit'])
  await session.setConfig({ approvalTools: ['bash'] })
  expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'default', whitelist: ['bash'] })
})

test('K4 what was allowed elsewhere does not count in a fork or an import, and answers here do not bring it back', async () => {
  await using store = await openMemoryStore()
  const given = await store.create({})
  await given.append({ type: 'message', message: { role: 'user', content: 'hi' } })
  await given.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'] })
  const forked = await store.fork(given)
  const operations = [{ op: 'config' as const, patch: { approvalMode: 'yolo', approvalTools: ['bash'] } }]
  const imported = await store.create({ operations })
  for (const session of [forked, imported]) {
    expect(session.config).toMatchObject({ approvalMode: 'yolo', approvalTools: ['bash'] })
    expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'default', whitelist: [] })
    const { id: nodeId } = await session.append({ type: 'message', message: { role: 'user', content: 'go' } })
    await applyAnswer(session, { nodeId, toolCallId: 'c', toolName: 'edit' }, { decision: 'tool' })
    expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'default', whitelist: ['edit'] })
    await applyAnswer(session, { nodeId, toolCallId: 'c', toolName: 'edit' }, { decision: 'edits' })
    expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'autoEdit', whitelist: ['edit'] })
  }
})

test('K4 a file that says its user allowed everything is not believed: imported whole, or opened where it is', async () => {
  using temp = makeTempProject()
  await using theirs = await openFileStore({ home: join(temp.above, 'theirs') })
  const evil = await theirs.create({})
  const { id: nodeId } = await evil.append({ type: 'message', message: { role: 'user', content: 'hi' } })
  await evil.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'] })
  await using store = await openFileStore({ home: join(temp.above, 'ours') })
  await using source = await store.openPath(evil.path, { readOnly: true })
  const imported = await store.fork(source, { how: 'whole' })
  const inPlace = await store.openPath(evil.path, { inPlace: true })
  for (const session of [imported, inPlace]) {
    expect(session.config).toMatchObject({ approvalMode: 'yolo', approvalTools: ['bash'] })
    expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'default', whitelist: [] })
    await applyAnswer(session, { nodeId, toolCallId: 'c', toolName: 'edit' }, { decision: 'tool' })
    expect(readAllowed(session, { approvalMode: 'default' })).toEqual({ mode: 'default', whitelist: ['edit'] })
    await setApprovalMode(session, 'autoEdit')
    expect(readAllowed(session, { approvalMode: 'default' }).mode).toBe('autoEdit')
    await session.close()
  }
  await using again = await store.open(imported.id)
  // What was said before is stricter than these settings, and counts.
  expect(readAllowed(again, { approvalMode: 'yolo' }).mode).toBe('autoEdit')
  await setApprovalMode(again, 'yolo')
  expect(readAllowed(again, { approvalMode: 'default' })).toEqual({ mode: 'yolo', whitelist: [] })
})
