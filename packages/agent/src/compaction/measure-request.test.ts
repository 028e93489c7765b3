import { estimateTokens } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import type { AnyTool } from '../tools/tool.ts'
import { lineOptions } from './line-options.ts'
import { measureRequest } from './measure-request.ts'

let session: Session
beforeEach(async () => {
  session = await (await openMemoryStore()).create({ cwd: '/project' })
})
afterEach(() => session.close())

const say = (content: string) => session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } })
const usage = { input: 900, output: 50, cacheRead: 40, cacheWrite: 10 }
const answer = (fields: object = {}) =>
  session.append({
    type: 'message',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stopReason: 'stop', usage, ...fields },
  })

async function measure(env: AgentEnv = testEnv()) {
  const tipId = session.leafId
  const line = await session.line({ leafId: tipId, ...(await lineOptions(env, session, tipId)) })
  return measureRequest(env, session, { tipId, line, model: scriptedModel().info })
}

describe('the size of a request', () => {
  test('X63 is what the provider counted for the last answer and an estimate of what follows it', async () => {
    await say('Hello')
    await answer()
    await say('x'.repeat(4_000))
    expect((await measure()).tokens).toBe(1_000 + 1_000)
  })

  test('the total a provider gives goes before its parts', async () => {
    await say('Hello')
    await answer({ usage: { ...usage, totalTokens: 1_234 } })
    expect((await measure()).tokens).toBe(1_234)
  })

  test.each([
    ['failed', { stopReason: 'error' }],
    ['was cancelled', { stopReason: 'aborted' }],
    ['has no count', { usage: undefined }],
    ['counts nothing', { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    ['counts nonsense', { usage: { input: 'many', output: -3 } }],
  ])('is estimated when the last answer %s', async (_, fields) => {
    await say('Hello')
    await answer(fields)
    const { tokens, estimatedTokens } = await measure()
    expect(tokens).toBe(estimatedTokens)
    expect(tokens).toBeLessThan(20)
  })

  test('is estimated when something above the answer was muted since, and counted again after the next answer', async () => {
    const first = await say('Hello')
    await answer()
    await say('More')
    await answer()
    await session.edit({ operations: [{ op: 'mute', nodeIds: [first.id] }] })
    expect((await measure()).tokens).toBeLessThan(20)
    await say('Now')
    await answer({ usage: { ...usage, totalTokens: 77 } })
    expect((await measure()).tokens).toBe(77)
  })

  test('is estimated when the answer is older than the compaction in force, or was reworded below', async () => {
    const first = await say('Hello')
    const kept = await answer()
    await session.append({ type: 'context_edit', targetId: first.id, replacement: { content: 'Bye' } })
    expect((await measure()).tokens).toBeLessThan(20)
    await session.append({ type: 'compaction', summary: 'Said hello.', firstKeptEntryId: kept.id, tokensBefore: 9 })
    expect((await measure()).tokens).toBeLessThan(50)
  })

  test('counts a change made while the answer was generated', async () => {
    const first = await say('Hello')
    const data = { nodeId: 'a0000001', parentId: first.id, model: 'scripted/one' }
    await session.append({ type: 'custom', customType: 'treeline/generation', data })
    await session.edit({ operations: [{ op: 'mute', nodeIds: [first.id] }] })
    await session.append({
      type: 'message',
      id: 'a0000001',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], stopReason: 'stop', usage },
    })
    await session.branch('a0000001')
    expect((await measure()).tokens).toBeLessThan(20)
  })

  test('is estimated when the session was made linear since, or tree-like again: what is muted is sent in one of them', async () => {
    const muted = await say('x'.repeat(40_000))
    await session.edit({ operations: [{ op: 'mute', nodeIds: [muted.id] }] })
    await say('Hello')
    await answer()
    expect((await measure()).tokens).toBe(1_000)
    await session.edit({ operations: [{ op: 'session', patch: { mode: 'linear' } }] })
    expect((await measure()).tokens).toBeGreaterThan(10_000)
    await say('More')
    await answer({ usage: { ...usage, totalTokens: 12_345 } })
    expect((await measure()).tokens).toBe(12_345)
    await session.undo()
    expect((await measure()).tokens).toBeLessThan(50)
  })

  test('is what the provider counted for an earlier answer when the last ones were cancelled or have no count', async () => {
    await say('Hello')
    await answer()
    await say('More')
    await answer({ stopReason: 'aborted', usage: undefined })
    await say('x'.repeat(400))
    await answer({ usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } })
    await say('x'.repeat(400))
    expect((await measure()).tokens).toBe(1_000 + 1 + 1 + 100 + 1 + 100)
  })

  test('has the system prompt, tools and notes in it, which nothing can take away', async () => {
    const tool: AnyTool = {
      name: 'read',
      description: 'Reads a file. '.repeat(20),
      input: z.object({ path: z.string() }),
      effect: 'read',
      isRepeatable: true,
      preview: () => ({ title: 'read' }),
      run: () => Promise.reject(new Error('not here')),
    }
    const strategy = {
      name: 'prompt',
      inject: () => [
        { place: 'system' as const, text: 's'.repeat(400) },
        { place: 'end' as const, text: 'e'.repeat(200) },
      ],
    }
    const env = testEnv({ tools: [tool], strategies: () => Promise.resolve([strategy]) })
    await say('x'.repeat(40))
    const { tokens, fixedTokens } = await measure(env)
    expect(fixedTokens).toBeGreaterThan(100 + 50 + 70)
    expect(tokens - fixedTokens).toBeGreaterThanOrEqual(10)
    expect(tokens - fixedTokens).toBeLessThan(14)
  })

  test('uses the estimator it is given', async () => {
    await say('x'.repeat(400))
    const env = testEnv({ estimate: (messages) => estimateTokens(messages) * 3 })
    expect((await measure(env)).tokens).toBe(300)
  })
})
