import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { envWith, textOf } from '../testing/generate-bench.ts'
import { startModelServer } from '../testing/model-server/model-server.ts'
import { modelAt, PROVIDERS } from '../testing/provider-models.ts'
import { userSays } from '../testing/say.ts'
import { generatingIds } from '../testing/wire-bench.ts'
import { generate } from './generate.ts'

test('T20 every provider answers the same prompt at once; one that breaks off is repeated beside itself', async () => {
  const server = await startModelServer()
  try {
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: '/project' })
    const { id: parentId } = await session.append(userSays('Who are you?'))
    // Nobody says a word before all have been asked.
    const all = Promise.withResolvers<void>()
    let broken = 0
    server.reply(({ model }) => {
      if (server.requests.length === PROVIDERS.length) all.resolve()
      const said = { text: `I am ${model}, and I take my time.`, chunkChars: 4 }
      if (model === 'claude-sonnet-4-5' && broken++ === 0) return { ...said, fault: { type: 'cut', after: 2 } }
      return { ...said, fault: { type: 'slow', gate: () => all.promise } }
    })
    const models = PROVIDERS.map((provider) => modelAt(server, provider))
    const specs = models.map(({ ref }) => ({ model: ref }))
    const generations = await generate(envWith(models), session, { parentId, specs })
    const kept = new Map<string, string[]>()
    for await (const { generationId, event } of generations.events) {
      if (event.type === 'finished') kept.set(generationId, [...(kept.get(generationId) ?? []), event.nodeId])
    }
    for (const [i, nodeId] of generations.nodeIds.entries()) {
      const { id, provider } = models[i]!
      const [answered] = kept.get(nodeId) ?? []
      expect(await textOf(session, answered!)).toBe(`I am ${id}, and I take my time.`)
      if (provider !== 'anthropic') expect(answered).toBe(nodeId)
      else expect(await textOf(session, nodeId)).toBe('I am cla')
    }
    expect(generatingIds(session)).toEqual([])
    expect(session.leafId).toBe(parentId)
  } finally {
    await server.close()
  }
})
