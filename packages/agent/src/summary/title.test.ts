import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Entry, GENERATION_TYPE, graphemesOf, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { askedText, type Script, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { answer, ask, converse, openStore, stores } from './testing/stores.ts'
import { titleSession } from './title.ts'
import { toTitle } from './title-text.ts'

const { signal } = new AbortController()

function setUp(script: Script = () => 'Caches and keys', ref = 'scripted/one') {
  const model = scriptedModel({ script, ref })
  const settings = { ...DEFAULT_SETTINGS, retry: { ...DEFAULT_SETTINGS.retry, enabled: false } }
  const env = testEnv({ model, settings })
  return { model, title: (session: Session, by = signal) => titleSession(env, session, { model, signal: by }) }
}

async function entriesOf(session: Session, type: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of session.entries()) if (entry.type === type) entries.push(entry)
  return entries
}

describe.each(stores)('titles, %s store', (kind) => {
  test('a session with a prompt and an answer gets one; what it cost is noted beside the tree', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    const { title, model } = setUp(() => '"Caches and keys."')
    expect(await title(session)).toBeUndefined()
    await converse(session, 'u1')
    expect(await title(session)).toBeUndefined()
    await answer(session, 'a0', 'half', { stopReason: 'error' })
    await answer(session, 'a0t', 'calls', { stopReason: 'toolUse' })
    expect(await title(session)).toBeUndefined()
    expect(model.calls).toEqual([])
    await converse(session, 'a1')
    expect(await title(session)).toBe('Caches and keys')
    const again = await store.open(session.id)
    expect([again.name, again.leafId, session.leafId]).toEqual(['Caches and keys', 'a1', 'a1'])
    expect(await entriesOf(session, 'session_info')).toMatchObject([{ name: 'Caches and keys', auto: true }])
    expect(await entriesOf(session, 'usage')).toMatchObject([
      { kind: 'title', provider: 'scripted', model: 'one', usage: { input: 100, output: 20 } },
    ])
    expect(askedText(model.calls[0]!)).toContain('says u1')
    expect(askedText(model.calls[0]!)).toContain('says a1')
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
  })

  test('a made-up name may be made up anew, a name that a person gave stays', async () => {
    await using store = await openStore(kind)
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    const { title, model } = setUp((_, i) => `Name ${i}`)
    expect(await title(session)).toBe('Name 0')
    expect(await title(await store.open(session.id))).toBe('Name 1')
    await session.rename('Mine')
    expect(await title(session)).toBeUndefined()
    expect([session.name, model.calls.length]).toEqual(['Mine', 2])
    await session.rename(null)
    expect(await title(session)).toBe('Name 2')
  })

  test('property: no name of a person is ever replaced, whoever thinks, names and undoes at the same time', async () => {
    await using store = await openStore(kind)
    const steps = fc.array(fc.constantFrom('think', 'answer', 'name', 'clear', 'undo', 'other'), { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const one = await store.create()
        await converse(one, 'u1', 'a1')
        const two = await store.open(one.id)
        const waiting: { answer: () => void; done: Promise<unknown> }[] = []
        let count = 0
        const { title } = setUp(() => held.shift()!)
        const held: Promise<string>[] = []
        const undone: (string | null | undefined)[] = []
        let mine: string | undefined
        for (const step of list) {
          if (step === 'think') {
            const { promise, resolve } = Promise.withResolvers<string>()
            held.push(promise)
            const name = `made up ${count++}`
            const done = title(waiting.length % 2 === 0 ? one : two)
            waiting.push({ answer: () => resolve(name), done })
          } else if (step === 'answer') {
            const next = waiting.shift()
            next?.answer()
            await next?.done
          } else if (step === 'undo') {
            if (undone.length === 0) continue
            await one.undo({ by: 'ann' })
            mine = undone.pop() ?? undefined
          } else {
            const by = step === 'other' ? two : one
            const name = step === 'clear' ? null : `mine ${count++}`
            await by.edit({ operations: [{ op: 'name', name }], by: 'ann' })
            undone.push(mine)
            mine = name ?? undefined
          }
          await Promise.all([one.refresh(), two.refresh()])
          for (const session of [one, two]) {
            if (mine !== undefined) expect(session.name).toBe(mine)
            else expect(session.name ?? 'made up').toMatch(/^made up/)
          }
          // Where a made-up name was given since, the person's own changes before it are history.
          if (mine === undefined && one.name !== undefined) undone.length = 0
        }
        for (const { answer: finish } of waiting) finish()
        await Promise.all(waiting.map(({ done }) => done))
        if (mine !== undefined) expect((await store.open(one.id)).name).toBe(mine)
      }),
      { numRuns: kind === 'memory' ? 60 : 10 },
    )
  })
})

describe('titles', () => {
  test('a title in the header counts by who gave it', async () => {
    await using store = await openStore('memory')
    const { title } = setUp()
    const named = await store.create({ title: 'Given at the start' })
    await converse(named, 'u1', 'a1')
    expect(await title(named)).toBeUndefined()
    expect(named.name).toBe('Given at the start')
    await named.rename(null)
    expect(await title(named)).toBeUndefined()
  })

  test('a title that another tool made up is made up anew', async () => {
    await using store = await openStore('file')
    const first = await store.create()
    const id = '01981f00-0000-7000-8000-000000000001'
    const head = { type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd: first.header.cwd }
    const header = { ...head, title: 'By a tool', titleSource: 'auto' }
    await writeFile(join(dirname(first.path), `2026-01-01T00-00-00-000Z_${id}.jsonl`), `${JSON.stringify(header)}\n`, {
      mode: 0o600,
    })
    const session = await store.open(id)
    await converse(session, 'u1', 'a1')
    const { title } = setUp()
    expect(session.name).toBe('By a tool')
    expect(await title(session)).toBe('Caches and keys')
  })

  test('the demo, and a model that fails or says nothing of use: the first prompt is the name', async () => {
    await using store = await openStore('memory')
    const scripts: [Script, string][] = [
      [() => 'never asked', 'demo/demo'],
      [() => ({ error: new TreelineError('provider_error', 'down') }), 'scripted/one'],
      [() => ' ', 'scripted/one'],
      [() => '"..."', 'scripted/one'],
    ]
    for (const [script, ref] of scripts) {
      const session = await store.create()
      await ask(session, 'u1', `How do\n\u001b[31mcaches\u001b[0m work${'?'.repeat(100)}`)
      await converse(session, 'a1')
      const { title, model } = setUp(script, ref)
      const given = await title(session)
      expect(given).toMatch(/^How do caches work\?+…$/)
      expect([session.name, [...graphemesOf(given!)].length]).toEqual([given, 60])
      expect(model.calls.length).toBe(ref === 'demo/demo' ? 0 : 1)
    }
  })

  test('a failing model does not replace a made-up name by the prompt', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    const { title } = setUp((_, i) => (i === 0 ? 'Good name' : { error: new TreelineError('rate_limited', 'no') }))
    await title(session)
    expect(await title(session)).toBeUndefined()
    expect(session.name).toBe('Good name')
  })

  test('cancelled: no name', async () => {
    await using store = await openStore('memory')
    const session = await store.create()
    await converse(session, 'u1', 'a1')
    const controller = new AbortController()
    const { title } = setUp(() => {
      controller.abort()
      return 'Too late'
    })
    expect(await title(session, controller.signal)).toBeUndefined()
    expect(session.name).toBeUndefined()
  })

  test('while the next answer is generated, the cost is noted and the leaf stays at it', async () => {
    await using store = await openStore('file')
    const session = await store.create()
    await converse(session, 'u1', 'a1', 'u2')
    const { title } = setUp(async () => {
      const data = { nodeId: 'g1', parentId: 'u2', model: 'p/m' }
      await session.append({ type: 'custom', customType: GENERATION_TYPE, data })
      return 'Named meanwhile'
    })
    expect(await title(session)).toBe('Named meanwhile')
    expect(session.leafId).toBe('g1')
    expect((await store.open(session.id)).leafId).toBe('g1')
    expect(await entriesOf(session, 'usage')).toHaveLength(1)
  })

  test.each([
    ['  Caches and keys  ', 'Caches and keys'],
    ['"Caches and keys."', 'Caches and keys'],
    ['“Caches and keys”.', 'Caches and keys'],
    ['「缓存与键」。', '缓存与键'],
    ['**Title: Caches**', 'Caches'],
    ['# Title: Caches', 'Caches'],
    ['\n\nCaches\nand an explanation', 'Caches'],
    ['Fix __init__', 'Fix __init__'],
    ['Use "a" and "b"', 'Use "a" and "b"'],
    ['Node.js', 'Node.js'],
    ['\u001b]0;evil\u0007Caches\u202e', 'Caches'],
    ['...', ''],
    ['""', ''],
  ])('%j becomes %j', (said, title) => {
    expect(toTitle(said)).toBe(title)
  })

  test('whatever a model says, a title is one plain line of at most 60 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (said) => {
        const title = toTitle(said)
        expect([...graphemesOf(title)].length).toBeLessThanOrEqual(60)
        expect(title).toBe(title.trim())
        expect(title).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      }),
      { numRuns: 300 },
    )
    expect(toTitle(`${'"."'.repeat(200_000)}`).length).toBeLessThanOrEqual(60)
  })
})
