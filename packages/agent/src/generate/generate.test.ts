import { openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answerOf, envWith, held, introducing, parentOf, textOf } from '../testing/generate-bench.ts'
import { userSays } from '../testing/say.ts'
import { askedText } from '../testing/scripted-model.ts'
import { generatingIds } from '../testing/wire-bench.ts'
import { type GenerateRequest, type GenerationEvent, type Generations, generate } from './generate.ts'

let store: SessionStore
let session: Session
let promptId: string
beforeEach(async () => {
  store = await openMemoryStore()
  session = await store.create({ cwd: '/project' })
  promptId = (await session.append(userSays('What is it?'))).id
})
afterEach(() => store.close())

async function eventsOf({ events }: Generations): Promise<GenerationEvent[]> {
  const found: GenerationEvent[] = []
  for await (const event of events) found.push(event)
  return found
}

describe('answers side by side', () => {
  test('T20 one node, three models: three siblings, each with its own words', async () => {
    const refs = ['a/one', 'b/two', 'c/three']
    const specs = refs.map((model) => ({ model }))
    const generations = await generate(envWith(refs.map((ref) => introducing(ref))), session, {
      parentId: promptId,
      specs,
    })
    expect(new Set(generations.nodeIds).size).toBe(3)
    expect((await generations.done).map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    for (const [i, nodeId] of generations.nodeIds.entries()) {
      expect(await textOf(session, nodeId)).toBe(`I am ${refs[i]}.`)
      expect(parentOf(session, nodeId)).toBe(promptId)
      const { provider, model } = (await answerOf(session, nodeId))!
      expect(`${provider}/${model}`).toBe(refs[i])
    }
  })

  test('T21 their places are in the log before any model has said a word', async () => {
    const { models, letGo } = held('a/one', 'b/two')
    const specs = [{ model: 'a/one' }, { model: 'b/two' }]
    const generations = await generate(envWith(models), session, { parentId: promptId, specs })
    await using other = await store.open(session.id)
    expect(generatingIds(other).toSorted()).toEqual(generations.nodeIds.toSorted())
    letGo('b/two')
    letGo('a/one')
    await generations.done
    expect(generatingIds(session)).toEqual([])
  })

  test('events say whose they are; those of one are in order, and the last one is its end', async () => {
    const { models, letGo } = held('a/one', 'b/two')
    const specs = [{ model: 'a/one' }, { model: 'b/two' }]
    const generations = await generate(envWith(models), session, { parentId: promptId, specs })
    letGo('a/one')
    letGo('b/two')
    const events = await eventsOf(generations)
    for (const id of generations.nodeIds) {
      const own = events.filter(({ generationId }) => generationId === id).map(({ event }) => event)
      const types = own.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1])
      expect(types).toEqual(['started', 'delta', 'finished', 'ended'])
      expect(own[0]).toMatchObject({ nodeId: id, parentId: promptId })
    }
  })

  test('nobody has to listen', async () => {
    const generations = await generate(envWith([introducing('a/one')]), session, { parentId: promptId })
    await generations.done
    expect(await textOf(session, generations.nodeIds[0]!)).toBe('I am a/one.')
  })

  test('a slow one holds up no other, on this branch or another', async () => {
    const { models, letGo } = held('slow/one')
    const env = envWith([...models, introducing('a/one')])
    const elsewhere = (await session.append(userSays('And elsewhere?'), { parentId: null, leaf: 'stay' })).id
    const slow = await generate(env, session, { parentId: promptId, specs: [{ model: 'slow/one' }] })
    const quick = await generate(env, session, { parentId: elsewhere, specs: [{ model: 'a/one' }] })
    await quick.done
    expect(await textOf(session, quick.nodeIds[0]!)).toBe('I am a/one.')
    expect(generatingIds(session)).toEqual(slow.nodeIds)
    letGo('slow/one')
    await slow.done
    expect(await textOf(session, slow.nodeIds[0]!)).toBe('I am slow/one.')
  })

  test('one that fails leaves the others alone', async () => {
    const specs = [{ model: 'nobody/none' }, { model: 'a/one' }]
    const generations = await generate(envWith([introducing('a/one')]), session, { parentId: promptId, specs })
    await generations.done
    const [failed, fine] = await Promise.all(generations.nodeIds.map((id) => answerOf(session, id)))
    expect(failed).toMatchObject({ stopReason: 'error', errorCode: 'validation_failed', askedModel: 'nobody/none' })
    expect(fine).toMatchObject({ stopReason: 'stop' })
  })
})

describe('what they are given', () => {
  test('is settled when their places are in the log: an edit that comes later does not count', async () => {
    const model = introducing('a/one')
    const gate = Promise.withResolvers<undefined>()
    const env = envWith([model], { hooks: { beforeTurn: () => gate.promise } })
    const generations = await generate(env, session, { parentId: promptId })
    await session.edit({ operations: [{ op: 'mute', nodeIds: [promptId] }] })
    gate.resolve(undefined)
    await generations.done
    expect(askedText(model.calls[0]!)).toContain('What is it?')
  })

  test('may be said with them: one line behind the other, and nobody else’s between', async () => {
    const before = session.seq
    const message = { ...userSays('And what else?'), id: 'u-1' }
    const asking = generate(envWith([introducing('a/one')]), session, {
      ...{ parentId: promptId, message, activate: true },
      specs: [{ nodeId: 'a-1' }, { nodeId: 'a-2' }],
    })
    const { done } = await asking
    await done
    const lines = ['u-1', 'a-1', 'a-2'].map(
      (id) => session.tree.heads.line[session.tree.orderOf(session.tree.ids.find(id))],
    )
    expect(lines).toEqual([before + 1, before + 2, before + 3])
    expect(session.leafId).toBe('a-1')
  })

  test('C2 is refused when it was changed since somebody looked, and nothing is announced', async () => {
    const baseVersion = session.seq
    await session.edit({ operations: [{ op: 'mute', nodeIds: [promptId] }] })
    const before = session.seq
    const env = envWith([introducing('a/one')])
    for (const message of [undefined, { ...userSays('Well?'), id: 'u-1' }]) {
      const asking = generate(env, session, { parentId: promptId, baseVersion, message })
      await expect(asking).rejects.toMatchObject({ code: 'stale_node', details: { nodeIds: [promptId] } })
    }
    expect(session.seq).toBe(before)
  })
})

describe('the trunk', () => {
  test('does not jump, here or in a session opened before, meanwhile or after', async () => {
    await using before = await store.open(session.id)
    const { models, letGo } = held('a/one', 'b/two')
    const specs = [{ model: 'a/one' }, { model: 'b/two' }]
    const generations = await generate(envWith(models), session, { parentId: promptId, specs })
    await using meanwhile = await store.open(session.id)
    letGo('a/one')
    letGo('b/two')
    await generations.done
    await before.refresh()
    await meanwhile.refresh()
    await using after = await store.open(session.id)
    const leaves = [session, before, meanwhile, after].map(({ leafId }) => leafId)
    expect(leaves).toEqual([promptId, promptId, promptId, promptId])
  })

  test('stays where the user goes while answers are on their way', async () => {
    const { models, letGo } = held('a/one')
    const generations = await generate(envWith(models), session, { parentId: promptId })
    const noteId = (await session.append(userSays('Meanwhile'), { parentId: null })).id
    letGo('a/one')
    await generations.done
    expect(session.leafId).toBe(noteId)
    await using after = await store.open(session.id)
    expect(after.leafId).toBe(noteId)
  })

  test('goes to the first one when that is wanted, and along with it', async () => {
    const { models, letGo } = held('a/one', 'b/two')
    const specs = [{ model: 'a/one' }, { model: 'b/two' }]
    const generations = await generate(envWith(models), session, { parentId: promptId, specs, activate: true })
    expect(session.leafId).toBe(generations.nodeIds[0])
    letGo('b/two')
    letGo('a/one')
    await generations.done
    expect(session.leafId).toBe(generations.nodeIds[0])
    await using after = await store.open(session.id)
    expect(after.leafId).toBe(generations.nodeIds[0])
    expect((await session.line()).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test('is left by whoever goes elsewhere before the wanted one has ended', async () => {
    const { models, letGo } = held('a/one')
    const generations = await generate(envWith(models), session, { parentId: promptId, activate: true })
    await session.branch(promptId)
    letGo('a/one')
    await generations.done
    expect(session.leafId).toBe(promptId)
  })
})

describe('what is asked for', () => {
  test('once more of an answer means beside it, also of one that is still coming', async () => {
    const { models, letGo } = held('a/one')
    const env = envWith([...models, introducing('b/two')])
    const first = await generate(env, session, { parentId: promptId })
    const specs = [{ model: 'b/two' }]
    const again = await generate(env, session, { parentId: first.nodeIds[0]!, specs })
    await again.done
    letGo('a/one')
    await first.done
    const more = await generate(env, session, { parentId: again.nodeIds[0]!, specs })
    await more.done
    const nodeIds = [first, again, more].flatMap((one) => one.nodeIds)
    expect(nodeIds.map((id) => parentOf(session, id))).toEqual([promptId, promptId, promptId])
    expect(await Promise.all(nodeIds.map((id) => textOf(session, id)))).toEqual([
      ...['I am a/one.', 'I am b/two.', 'I am b/two.'],
    ])
  })

  test('an answer that is a root is repeated as a root', async () => {
    const env = envWith([introducing('a/one')])
    const first = await generate(env, session, { parentId: null })
    await first.done
    const again = await generate(env, session, { parentId: first.nodeIds[0]! })
    await again.done
    expect(parentOf(session, again.nodeIds[0]!)).toBeNull()
  })

  test('ids of the caller’s own are used', async () => {
    const specs = [{ nodeId: 'mine-1' }, {}, { nodeId: 'mine-2' }]
    const generations = await generate(envWith([introducing('a/one')]), session, { parentId: promptId, specs })
    await generations.done
    expect(generations.nodeIds.filter((_, i) => i !== 1)).toEqual(['mine-1', 'mine-2'])
    expect(await textOf(session, 'mine-2')).toBe('I am a/one.')
  })

  const refused: readonly (readonly [string, (id: string) => Partial<GenerateRequest>, string])[] = [
    ['an id that is taken', (id) => ({ specs: [{}, { nodeId: id }] }), 'id_in_use'],
    ['the same id twice', () => ({ specs: [{ nodeId: 'mine' }, { nodeId: 'mine' }] }), 'id_in_use'],
    ['an id that could be a path', () => ({ specs: [{}, { nodeId: '../mine' }] }), 'validation_failed'],
    ['a parent nobody knows', () => ({ parentId: 'nobody' }), 'node_not_found'],
    ['no answer at all', () => ({ specs: [] }), 'validation_failed'],
  ]
  test.each(refused)('%s is refused, and nothing is written', async (_, request, code) => {
    const before = session.seq
    const asked = generate(envWith([introducing('a/one')]), session, { parentId: promptId, ...request(promptId) })
    await expect(asked).rejects.toMatchObject({ code })
    expect(session.seq).toBe(before)
    expect(session.leafId).toBe(promptId)
  })

  test('an id that is being generated already is refused, also when both are asked for at once', async () => {
    const { models, letGo } = held('a/one')
    const env = envWith(models)
    const specs = [{ nodeId: 'mine' }]
    const asked = await Promise.allSettled([1, 2].map(() => generate(env, session, { parentId: promptId, specs })))
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await using other = await store.open(session.id)
    await expect(generate(env, other, { parentId: promptId, specs })).rejects.toMatchObject({ code: 'id_in_use' })
    letGo('a/one')
    if (asked[0]?.status === 'fulfilled') await asked[0].value.done
    expect(await textOf(session, 'mine')).toBe('I am a/one.')
    expect(generatingIds(session)).toEqual([])
  })
})
