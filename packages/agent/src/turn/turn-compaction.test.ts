import { openMemoryStore, type Session } from '@treeline/store'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { askedText, type ScriptedAnswer, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import type { AnyTool } from '../tools/tool.ts'
import type { TurnEvent } from './events.ts'
import { runTurn } from './turn.ts'

const WINDOW = 8_000
const settings = { ...DEFAULT_SETTINGS, approvalMode: 'yolo' as const }

/** Ten turns of about 700 tokens each: nearly the whole window. */
async function longSession(): Promise<Session> {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const session = await store.create({ cwd: '/project' })
  for (let i = 0; i < 10; i++) {
    const said = `turn ${i} ${'word '.repeat(280)}`
    await session.append({ type: 'message', message: { role: 'user', content: said, timestamp: 1 } })
    const content = [{ type: 'text', text: said }]
    await session.append({ type: 'message', message: { role: 'assistant', content, stopReason: 'stop', timestamp: 1 } })
  }
  return session
}

async function take(env: AgentEnv, session: Session, prompt: string): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of runTurn(env, session, { prompt })) events.push(event)
  return events
}

const isSummary = (question: Parameters<typeof askedText>[0]) =>
  question.providerOptions?.treeline?.purpose === 'summary'

test('M11, X60 a conversation near the limit is compacted before the model is called, and the prompt that waits is sent', async () => {
  const session = await longSession()
  const model = scriptedModel({
    info: { contextWindow: WINDOW, maxOutput: 1_000 },
    script: (question) => (isSummary(question) ? '## Goal\nTen turns.' : 'Here.'),
  })
  const events = await take(testEnv({ model, settings }), session, 'And now the last question?')
  const types = events.map(({ type }) => type)
  expect(types).toEqual(['prompted', 'compacting', 'compacted', 'started', 'delta', 'finished', 'ended'])
  const asked = model.calls.find((question) => !isSummary(question))!
  expect(askedText(asked)).toContain('Ten turns.')
  expect(askedText(asked)).toContain('And now the last question?')
  expect(askedText(asked)).not.toContain('turn 0 ')
  const { messages } = await session.line()
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Here.' }] })
  expect(session.leafId).toBe(events.findLast((event) => event.type === 'finished')?.nodeId)
})

test('a summary that fails is told of once; the turn goes on without it', async () => {
  const session = await longSession()
  const note: AnyTool = {
    name: 'note',
    description: 'Notes.',
    input: z.object({}),
    effect: 'read',
    isRepeatable: true,
    preview: () => ({ title: 'note' }),
    run: async () => ({ content: [{ type: 'text', text: 'noted' }] }),
  }
  let steps = 0
  const model = scriptedModel({
    info: { contextWindow: WINDOW, maxOutput: 1_000 },
    script: (question): ScriptedAnswer => {
      if (isSummary(question)) return { error: new Error('no summary today') }
      return steps++ < 3 ? { toolCalls: [{ id: `c${steps}`, name: 'note', input: {} }] } : { text: 'Done.' }
    },
  })
  const events = await take(testEnv({ model, settings, tools: [note] }), session, 'Go on')
  expect(events.filter(({ type }) => type === 'compacting')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'stop' })
})

test('M14 with compaction switched off nothing is compacted', async () => {
  const session = await longSession()
  const model = scriptedModel({ info: { contextWindow: WINDOW, maxOutput: 1_000 } })
  const off = { ...settings, compaction: { ...settings.compaction, enabled: false } }
  const events = await take(testEnv({ model, settings: off }), session, 'Go on')
  expect(events.map(({ type }) => type)).toEqual(['prompted', 'started', 'delta', 'finished', 'ended'])
})
