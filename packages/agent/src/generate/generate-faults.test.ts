import { TreelineError } from '@treeline/core'
import {
  createMemoryStorage,
  openMemoryStore,
  type Session,
  type SessionStorage,
  type SessionStore,
} from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recover } from '../recovery/recover.ts'
import { answerOf, envWith, held, introducing, textOf } from '../testing/generate-bench.ts'
import { userSays } from '../testing/say.ts'
import { askedText } from '../testing/scripted-model.ts'
import { generatingIds } from '../testing/wire-bench.ts'
import { createPool } from './create-pool.ts'
import { type Generations, generate } from './generate.ts'

let store: SessionStore
let session: Session
let promptId: string
beforeEach(async () => {
  store = await openMemoryStore()
  session = await store.create({ cwd: '/project' })
  promptId = (await session.append(userSays('What is it?'))).id
})
afterEach(() => store.close())

describe('limits', () => {
  test('those beyond wait in line, with their places taken, and come later', async () => {
    const pool = createPool({ perSession: 1, total: 1, queued: 5 })
    const { models, letGo } = held('a/one')
    const env = envWith([...models, introducing('b/two')], { pool })
    const specs = [{ model: 'a/one' }, { model: 'b/two' }, { model: 'b/two' }]
    const generations = await generate(env, session, { parentId: promptId, specs })
    expect(generatingIds(session)).toHaveLength(3)
    letGo('a/one')
    await generations.done
    const texts = await Promise.all(generations.nodeIds.map((id) => textOf(session, id)))
    expect(texts).toEqual(['I am a/one.', 'I am b/two.', 'I am b/two.'])
  })

  test('more than may wait are refused together, before anything is written', async () => {
    const pool = createPool({ perSession: 2, total: 8, queued: 1 })
    const { models, letGo } = held('a/one')
    const env = envWith(models, { pool })
    const running = await generate(env, session, { parentId: promptId, specs: [{}, {}] })
    const before = session.seq
    const asked = generate(env, session, { parentId: promptId, specs: [{}, {}] })
    await expect(asked).rejects.toMatchObject({ code: 'too_many_generations' })
    expect(session.seq).toBe(before)
    letGo('a/one')
    await running.done
    await (await generate(env, session, { parentId: promptId, specs: [{}, {}] })).done
    expect(generatingIds(session)).toEqual([])
  })
})

describe('cancel', () => {
  test('of one ends that one, of all the rest; what waits in line is ended too', async () => {
    const pool = createPool({ perSession: 2, total: 2, queued: 5 })
    const { models } = held('a/one')
    const specs = [{}, {}, {}, {}]
    const generations = await generate(envWith(models, { pool }), session, { parentId: promptId, specs })
    const [first, , , last] = generations.nodeIds
    generations.cancel(first)
    generations.cancel(last)
    generations.cancel('nobody')
    const ended: string[] = []
    for await (const { generationId, event } of generations.events) {
      if (event.type !== 'ended') continue
      expect(event.reason).toBe('cancelled')
      ended.push(generationId)
      if (ended.length === 2) {
        expect(ended.toSorted()).toEqual([first, last].toSorted())
        expect(generatingIds(session)).toHaveLength(2)
        generations.cancel()
      }
    }
    expect(ended).toHaveLength(4)
    for (const id of generations.nodeIds) {
      expect(await answerOf(session, id)).toMatchObject({ stopReason: 'aborted', errorCode: 'provider_error' })
    }
    expect(generatingIds(session)).toEqual([])
    expect(session.leafId).toBe(promptId)
  })

  test('by the caller’s signal ends all, also when it came first', async () => {
    for (const isFirst of [true, false]) {
      const stop = new AbortController()
      if (isFirst) stop.abort()
      const { models } = held('a/one')
      const request = { parentId: promptId, specs: [{}, {}], signal: stop.signal }
      const generations = await generate(envWith(models), session, request)
      stop.abort()
      await generations.done
      expect(generatingIds(session)).toEqual([])
    }
  })
})

describe('what goes wrong', () => {
  test('a hook that stops the turn ends the announced answers', async () => {
    const hooks = { beforeTurn: () => ({ action: 'cancel' as const, reason: 'not now' }) }
    const generations = await generate(envWith([introducing('a/one')], { hooks }), session, { parentId: promptId })
    const types: string[] = []
    for await (const { event } of generations.events) types.push(event.type)
    expect(types).toEqual(['notice', 'failed', 'ended'])
    expect(await answerOf(session, generations.nodeIds[0]!)).toMatchObject({ errorCode: 'forbidden' })
    expect(generatingIds(session)).toEqual([])
  })

  test('a hook that would say something else has nothing to say: what is answered is said already', async () => {
    const hooks = { beforeTurn: () => ({ action: 'replace' as const, value: 'Something else' }) }
    const model = introducing('a/one')
    const generations = await generate(envWith([model], { hooks }), session, { parentId: promptId })
    await generations.done
    expect(askedText(model.calls[0]!)).toBe('What is it?')
    const { messages } = await session.line({ leafId: generations.nodeIds[0]! })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    const said: unknown[] = []
    for await (const { message } of session.entries()) if (message !== undefined) said.push(message)
    expect(said).toHaveLength(2)
  })

  test('a line that cannot be made ends them with what went wrong', async () => {
    const strategies = () => Promise.reject(new TreelineError('internal', 'The program’s own notes are gone.'))
    const generations = await generate(envWith([introducing('a/one')], { strategies }), session, { parentId: promptId })
    expect(await generations.done).toMatchObject([{ error: { code: 'internal' } }])
    expect(await answerOf(session, generations.nodeIds[0]!)).toMatchObject({ errorCode: 'internal' })
    expect(generatingIds(session)).toEqual([])
  })

  test('R3 whichever write fails, nothing is being generated for ever', async () => {
    let isThrough = false
    let refusals = 0
    for (let failing = 0; !isThrough; failing++) {
      const disk = failingStorage()
      await using own = await openMemoryStore({ storage: disk.storage })
      await using opened = await own.create({ cwd: '/project' })
      const { id: parentId } = await opened.append(userSays('Go'))
      disk.failAt(failing)
      const env = envWith([introducing('a/one')])
      const asked = await generate(env, opened, { parentId, specs: [{}, {}, {}], activate: true }).catch(
        (error: unknown) => error,
      )
      const isRefused = asked instanceof Error
      if (!isRefused) {
        const ends = await (asked as Generations).done
        isThrough = ends.every(({ error }) => error === undefined) && !disk.hasFailed
      } else {
        // The disk is fine again: what was announced is ended already.
        expect(asked).toMatchObject({ code: 'storage_full' })
        expect(generatingIds(opened)).toEqual([])
        refusals++
      }
      await recover(env, opened)
      expect(generatingIds(opened)).toEqual([])
      await using again = await own.open(opened.id)
      expect(generatingIds(again)).toEqual([])
      expect((await again.line()).messages[0]).toMatchObject({ role: 'user' })
      expect(failing).toBeLessThan(50)
    }
    expect(refusals).toBeGreaterThan(0)
  })

  test('when one cannot be announced, those that were are ended, none is generated, and their room is free', async () => {
    const pool = createPool({ perSession: 3, total: 3, queued: 0 })
    const model = introducing('a/one')
    const env = envWith([model], { pool })
    let appends = 0
    const failing: Session = Object.create(session, {
      append: {
        value: (...asked: Parameters<Session['append']>) =>
          ++appends === 2
            ? Promise.reject(new TreelineError('storage_full', 'There is no room.'))
            : session.append(...asked),
      },
    })
    const specs = [{ nodeId: 'mine-1' }, { nodeId: 'mine-2' }, { nodeId: 'mine-3' }]
    const asked = generate(env, failing, { parentId: promptId, specs })
    await expect(asked).rejects.toMatchObject({ code: 'storage_full' })
    expect(generatingIds(session)).toEqual([])
    expect(await answerOf(session, 'mine-1')).toMatchObject({ stopReason: 'error', errorCode: 'storage_full' })
    expect(await answerOf(session, 'mine-2')).toBeUndefined()
    expect(await answerOf(session, 'mine-3')).toMatchObject({ stopReason: 'error', errorCode: 'storage_full' })
    expect(model.calls).toEqual([])
    expect(session.leafId).toBe(promptId)
    await (await generate(env, session, { parentId: promptId, specs: [{ nodeId: 'mine-2' }, {}, {}] })).done
    expect(await textOf(session, 'mine-2')).toBe('I am a/one.')
  })

  test('a session closed underneath: told to the caller, and put in order at the next start', async () => {
    const { models, letGo } = held('a/one')
    const env = envWith(models)
    const generations = await generate(env, session, { parentId: promptId, specs: [{}, {}] })
    await session.close()
    letGo('a/one')
    const ends = await generations.done
    expect(ends.every(({ error }) => error instanceof TreelineError)).toBe(true)
    await using again = await store.open(session.id)
    expect(generatingIds(again)).toHaveLength(2)
    const { closed } = await recover(env, again)
    expect(closed.map(({ nodeId }) => nodeId).toSorted()).toEqual(generations.nodeIds.toSorted())
    expect(generatingIds(again)).toEqual([])
    expect(again.leafId).toBe(promptId)
  })
})

/** A disk on which one write to a log fails, once. */
function failingStorage(): { readonly storage: SessionStorage; hasFailed: boolean; failAt(write: number): void } {
  const memory = createMemoryStorage()
  let left = -1
  const disk = {
    hasFailed: false,
    failAt(write: number) {
      left = write
    },
    storage: {
      ...memory,
      openWriter(path: string, options: Parameters<SessionStorage['openWriter']>[1]) {
        const writer = memory.openWriter(path, options)
        const write = writer.writeSync.bind(writer)
        if (!path.endsWith('.jsonl')) return writer
        writer.writeSync = (bytes) => {
          if (left-- !== 0) return write(bytes)
          disk.hasFailed = true
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        }
        return writer
      },
    },
  }
  return disk
}
