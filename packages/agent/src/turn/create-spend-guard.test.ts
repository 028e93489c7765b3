import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EntryDraft, MERGE_TYPE, type Usage } from '@treeline/core'
import {
  createFileStorage,
  createMemoryStorage,
  openFileStore,
  openMemoryStore,
  type SessionStorage,
} from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../settings/settings.ts'
import { createSpendGuard } from './create-spend-guard.ts'

const NOON = new Date(2026, 6, 4, 12).getTime()
const DAY = '2026-07-04.jsonl'
const limited = { code: 'rate_limited' }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'treeline-spend-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const spendDir = () => join(home, 'spend')
const ledger = (name = DAY) => join(spendDir(), name)

function usage(total: number): Usage {
  return {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    cost: { input: total, output: 0, cacheRead: 0, cacheWrite: 0, total },
  }
}

function guard(settings: Settings['spend'], more: { storage?: SessionStorage; now?: () => number } = {}) {
  return createSpendGuard({
    settings,
    spendDir: spendDir(),
    clock: { now: more.now ?? (() => NOON) },
    storage: more.storage,
  })
}

const answer = (total: number): EntryDraft => ({
  type: 'message',
  message: { role: 'assistant', content: 'x', usage: usage(total) },
})

/** Real files whose calls can be made to fail. */
function failing(): SessionStorage & { fault: string | undefined } {
  const real = createFileStorage()
  const storage = {
    ...real,
    fault: undefined as string | undefined,
    openWriter(...args: Parameters<SessionStorage['openWriter']>) {
      if (storage.fault === 'short') {
        const file = real.openWriter(...args)
        return Object.assign(Object.create(file), {
          statSync: () => file.statSync(),
          readSync: (into: Uint8Array, at: number) => file.readSync(into, at),
          writeSync: (bytes: Uint8Array) => file.writeSync(bytes.subarray(0, 10)),
          closeSync: () => file.closeSync(),
        })
      }
      if (storage.fault !== undefined) throw Object.assign(new Error('no'), { code: storage.fault })
      return real.openWriter(...args)
    },
  }
  return storage
}

describe('a day', () => {
  test('what all sessions and processes have noted counts, and the refusal says what to change', async () => {
    await using store = await openMemoryStore()
    const [one, two] = [await store.create(), await store.create()]
    const [here, there] = [guard({ perDay: 1 }), guard({ perDay: 1 })]
    await here.check(one)
    await here.note(one, usage(0.4))
    await there.note(two, usage(0.5))
    await here.check(two)
    await there.note(two, usage(0.125))
    const refusal = here.check(one)
    await expect(refusal).rejects.toMatchObject(limited)
    await expect(refusal).rejects.toThrow('cost $1.02 today, and the limit is $1.00')
    await expect(refusal).rejects.toThrow('"spend.perDay"')
    await expect(guard({ perDay: 1.03 }).check(one)).resolves.toBeUndefined()
  })

  test('a limit that is reached exactly is reached; one of nothing lets nothing through', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    const exact = guard({ perDay: 0.5 })
    await exact.note(session, usage(0.5))
    await expect(exact.check(session)).rejects.toMatchObject(limited)
    await expect(guard({ perDay: 0 }, { now: () => 0 }).check(session)).rejects.toMatchObject(limited)
  })

  test('it begins anew at local midnight, and the ledgers of other days stay as they are', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    let now = new Date(2026, 6, 4, 23, 59, 59).getTime()
    const spend = guard({ perDay: 1 }, { now: () => now })
    await spend.note(session, usage(2))
    await expect(spend.check(session)).rejects.toMatchObject(limited)
    now += 1000
    await spend.check(session)
    await spend.note(session, usage(0.1))
    expect(readdirSync(spendDir()).sort()).toEqual([DAY, '2026-07-05.jsonl'])
    now -= 1000
    await expect(spend.check(session)).rejects.toMatchObject(limited)
  })

  test('a line says when, which session and how much; K5 the file is 0600 and its folder 0700', async () => {
    const umask = process.umask(0)
    try {
      await using store = await openMemoryStore()
      const session = await store.create()
      await guard({}).note(session, usage(0.25))
      const line = { at: new Date(NOON).toISOString(), sessionId: session.id, cost: 0.25 }
      expect(readFileSync(ledger(), 'utf8')).toBe(`${JSON.stringify(line)}\n`)
    } finally {
      process.umask(umask)
    }
    expect(statSync(ledger()).mode & 0o777).toBe(0o600)
    expect(statSync(spendDir()).mode & 0o777).toBe(0o700)
  })

  test('without a known price nothing is noted, whatever a provider says', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    const spend = guard({ perDay: 1 })
    const { cost: _, ...unpriced } = usage(1)
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -5, 0, '7', null].map((total) => usage(total as number))
    for (const one of [undefined, unpriced, ...odd]) await spend.note(session, one)
    expect(readdirSync(home)).toEqual([])
    await spend.check(session)
  })

  test('torn, foreign and hostile lines are passed over, those after them count', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    mkdirSync(spendDir())
    const lines = [
      '{"cost":0.25}',
      '{"cost":-100}',
      '{"cost":1e999}',
      '{"cost":"9"}',
      '{"cost":{"__proto__":1}}',
      'null',
      '[1]',
      '7',
      `{"pad":"${'x'.repeat(5000)}","cost":9}`,
      'x'.repeat(200_000),
      '\u0000\u0000\u0000',
      '{"cost":0.25}',
      '{"at":"now","cost":9',
    ]
    writeFileSync(ledger(), lines.join('\n'))
    const spend = guard({ perDay: 0.75 })
    await spend.check(session)
    await spend.note(session, usage(0.125))
    await spend.check(session)
    await spend.note(session, usage(0.125))
    await expect(spend.check(session)).rejects.toThrow('$0.7500 today')
  })

  test('what others append is read once, also a line that comes in two pieces and one across two reads', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    mkdirSync(spendDir())
    const spend = guard({ perDay: 10.25 })
    for (const piece of ['{"cost":1}\n{"co', 'st":1}', '\n', `${'{"cost":0.001}\n'.repeat(6000)}`, '{"cost":2}\n']) {
      appendFileSync(ledger(), piece)
      await spend.check(session)
      await spend.check(session)
    }
    const expected = 1 + 1 + 6 + 2
    await expect(guard({ perDay: expected - 0.001 }).check(session)).rejects.toThrow(`$${expected.toFixed(2)} today`)
    await guard({ perDay: expected + 0.001 }).check(session)
    appendFileSync(ledger(), '{"cost":0.5}\n')
    await expect(spend.check(session)).rejects.toThrow(`$${(expected + 0.5).toFixed(2)} today`)
  })

  test('a ledger that was deleted or replaced is read anew', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    const spend = guard({ perDay: 1 })
    await spend.note(session, usage(2))
    await expect(spend.check(session)).rejects.toMatchObject(limited)
    rmSync(ledger())
    await spend.check(session)
    writeFileSync(ledger(), '{"cost":0.5}\n')
    await spend.check(session)
    appendFileSync(ledger(), '{"cost":0.5}\n')
    await expect(spend.check(session)).rejects.toThrow('$1.00 today')
  })

  test.each(['ENOSPC', 'EACCES', 'short'])(
    'R3 %s: note throws nothing, the limit counts it, and it is written later',
    async (fault) => {
      await using store = await openMemoryStore()
      const session = await store.create()
      const storage = failing()
      const spend = guard({ perDay: 1 }, { storage })
      storage.fault = fault
      await spend.note(session, usage(0.5))
      await spend.note(session, usage(0.25))
      await spend.check(session)
      await spend.note(session, usage(0.25))
      await expect(spend.check(session)).rejects.toThrow('$1.00 today')
      storage.fault = undefined
      await guard({ perDay: 1 }).check(session)
      await spend.note(session, usage(0.125))
      await expect(spend.check(session)).rejects.toThrow('$1.13 today')
      await expect(guard({ perDay: 1 }).check(session)).rejects.toThrow('$1.13 today')
    },
  )

  test('where it cannot be known what was spent, a limit lets nothing through; without one nobody asks', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    mkdirSync(spendDir())
    const target = join(home, 'target')
    writeFileSync(target, '')
    symlinkSync(target, ledger())
    await guard({}).note(session, usage(1))
    await guard({}).check(session)
    await expect(guard({ perDay: 1 }).check(session)).rejects.toMatchObject({ code: 'forbidden' })
    expect(readFileSync(target, 'utf8')).toBe('')
  })

  test('C1 several processes note at once and none is lost', { timeout: 60_000 }, async () => {
    const script = fileURLToPath(new URL('../testing/note-spend.ts', import.meta.url))
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [script, spendDir(), '300'], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    const ended = children.map((child) => once(child, 'exit'))
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of children) stdin.end('go')
    expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0, 0])
    const [name] = readdirSync(spendDir())
    // Who finds a line that another is just writing starts a new one: a blank line is no loss.
    const lines = readFileSync(ledger(name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    expect(lines.map((line) => JSON.parse(line).cost)).toEqual(Array(900).fill(0.5))
  })
})

describe('a session', () => {
  test('what its log says counts: answers, summaries, merges and calls beside the path, on all branches', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    const { id } = await session.append({ type: 'message', message: { role: 'user', content: 'q', usage: usage(99) } })
    await session.append(answer(0.5))
    await session.append(answer(0.25), { parentId: id })
    await session.append({ type: 'compaction', summary: 's', tokensBefore: 1, usage: usage(0.125) })
    await session.append({ type: 'branch_summary', fromId: 'root', summary: 's', usage: usage(0.0625) })
    const merge = { type: 'custom_message', content: 'm', display: true, details: { usage: usage(0.03125) } }
    await session.append({ ...merge, customType: MERGE_TYPE })
    await session.append({ ...merge, customType: 'other' })
    await session.append({ type: 'usage', kind: 'title', provider: 'p', model: 'm', usage: usage(1) })
    await session.append({ type: 'model_usage', purpose: 'x', provider: 'p', model: 'm', usage: usage(2) })
    await session.append({
      type: 'message',
      message: { role: 'assistant', content: 'x', usage: { cost: { total: -9 } } },
    })
    await session.append({ type: 'message', message: { role: 'assistant', content: 'x', usage: 'much' } })
    const spent = 0.5 + 0.25 + 0.125 + 0.0625 + 0.03125 + 1 + 2
    await guard({ perSession: spent + 0.00001 }).check(session)
    const refusal = guard({ perSession: spent }).check(session)
    await expect(refusal).rejects.toMatchObject(limited)
    await expect(refusal).rejects.toThrow('This session has cost $3.97, and the limit is $3.97')
    await expect(refusal).rejects.toThrow('"spend.perSession"')
  })

  test('a call that is noted and logged counts once, and one session does not weigh on another', async () => {
    await using store = await openMemoryStore()
    const [session, other] = [await store.create(), await store.create()]
    const spend = guard({ perSession: 1 })
    await spend.check(session)
    await session.append(answer(0.75))
    await spend.note(session, usage(0.75))
    await spend.check(session)
    await session.append(answer(0.25))
    await spend.note(session, usage(0.25))
    await expect(spend.check(session)).rejects.toThrow('$1.00')
    await spend.check(other)
  })

  test('calls of other processes count, and asking many times at once counts nothing twice', async () => {
    const storage = createMemoryStorage()
    await using store = await openMemoryStore({ storage })
    await using others = await openMemoryStore({ storage })
    const session = await store.create()
    const theirs = await others.open(session.id)
    const spend = guard({ perSession: 1 })
    await session.appendAll(Array.from({ length: 600 }, () => answer(0.001)))
    await Promise.all(Array.from({ length: 10 }, () => spend.check(session)))
    await theirs.append(answer(0.25))
    await Promise.all(Array.from({ length: 10 }, () => spend.check(session)))
    await theirs.append(answer(0.25))
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => spend.check(session)))
    for (const result of asked) expect(result).toMatchObject({ reason: limited })
    await expect(spend.check(session)).rejects.toThrow('$1.10')
  })

  test('a log that was rewritten underneath is counted anew', async () => {
    await using store = await openFileStore({ home })
    const session = await store.create({ cwd: '/p' })
    await session.append(answer(0.5))
    const before = readFileSync(session.path)
    await session.append(answer(0.75))
    const spend = guard({ perSession: 1 })
    await expect(spend.check(session)).rejects.toThrow('$1.25')
    writeFileSync(session.path, before)
    await spend.check(session)
    await session.append(answer(0.5))
    await expect(spend.check(session)).rejects.toThrow('$1.00')
  })

  test('without a limit the log is not looked at', async () => {
    await using store = await openMemoryStore()
    const session = await store.create()
    await session.append(answer(5))
    await session.close()
    await guard({}).check(session)
    await expect(guard({ perSession: 1 }).check(session)).rejects.toMatchObject({ code: 'bad_request' })
  })
})
