import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import type { ThinkingLevel } from '../models/model.ts'
import type { ApprovalMode } from '../tools/approval.ts'
import { setApprovalMode, setMode, setModel, setThinkingLevel } from './choices.ts'

const say = (content: string) => ({ type: 'message', message: { role: 'user', content, timestamp: 1 } })

test('S9, S23 model, thinking level and mode hold on their path, in line and context', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const first = await session.append(say('hello'))
  await setModel(session, 'openai/gpt-5.1')
  await setModel(session, 'openrouter/meta/llama', 'summary')
  await setThinkingLevel(session, 'high')
  await setMode(session, 'plan', { step: 1 })
  const expected = {
    models: { default: 'openai/gpt-5.1', summary: 'openrouter/meta/llama' },
    model: { provider: 'openai', modelId: 'gpt-5.1' },
    thinkingLevel: 'high',
    mode: 'plan',
    modeData: { step: 1 },
  }
  expect((await session.line()).state).toMatchObject(expected)
  expect(await session.context()).toMatchObject(expected)
  await session.branch(first.id)
  expect((await session.line()).state).toMatchObject({ models: {}, thinkingLevel: 'off', mode: 'none' })
})

test('a change of model is written in both spellings', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await setModel(session, 'openrouter/meta/llama')
  const entry = await session.readEntry(session.leafId!)
  expect(entry).toMatchObject({
    type: 'model_change',
    model: 'openrouter/meta/llama',
    role: 'default',
    provider: 'openrouter',
    modelId: 'meta/llama',
  })
})

test('N24 the approval mode holds for the session, whatever the branch, and not for another (X5)', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await using other = await store.create()
  const first = await session.append(say('hello'))
  await session.append(say('more'))
  await setApprovalMode(session, 'autoEdit')
  await session.branch(first.id)
  expect(session.config.approvalMode).toBe('autoEdit')
  expect(other.config.approvalMode).toBe('default')
  await setApprovalMode(session, 'default')
  expect(session.config.approvalMode).toBe('default')
})

test('what is none of it is refused, and nothing is written', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const refused = { code: 'validation_failed' }
  await expect(setModel(session, 'gpt')).rejects.toMatchObject(refused)
  await expect(setModel(session, 'a/b', '')).rejects.toMatchObject(refused)
  await expect(setThinkingLevel(session, 'loud' as ThinkingLevel)).rejects.toMatchObject(refused)
  await expect(setMode(session, ' ')).rejects.toMatchObject(refused)
  await expect(setApprovalMode(session, 'always' as ApprovalMode)).rejects.toMatchObject(refused)
  expect(session.tree.rowCount).toBe(0)
})
