import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { homePaths } from '../paths.ts'
import type { SessionIndex } from '../session-index/session-index.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome, type TempHome, toText } from '../testing/temp-home.ts'
import { openTempIndex } from '../testing/temp-index.ts'
import { resolveSession } from './resolve-session.ts'

const FIRST = '01990000-aaaa-7000-8000-00000000beef'
const SECOND = '01990000-bbbb-7000-8000-0000feedface'

interface Planted {
  readonly cwd?: string
  readonly day?: number
  readonly prompt?: string
  readonly folder?: string
}

function plant(
  temp: TempHome,
  id: string,
  { cwd = '/p', day = 1, prompt = `about ${id}`, folder = '--p--' }: Planted = {},
) {
  const timestamp = new Date(Date.UTC(2026, 0, day)).toISOString()
  const path = join(homePaths(temp.home).sessions, folder, `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const entry = {
    type: 'message',
    id: 'e1',
    parentId: null,
    timestamp,
    message: { role: 'user', content: prompt, timestamp: 1 },
  }
  writeFileSync(path, toText([{ type: 'session', version: 3, id, timestamp, cwd }, entry]))
  return path
}

async function refusal(index: SessionIndex, text: string, cwd?: string): Promise<TreelineError> {
  const error: unknown = await resolveSession(index, text, { cwd }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TreelineError)
  return error as TreelineError
}

describe('resolveSession', () => {
  test('N40 by a whole id, by its beginning, by its end, in any case', async () => {
    using temp = makeTempHome()
    const path = plant(temp, FIRST)
    plant(temp, SECOND)
    plant(temp, 'x1')
    await using index = await openTempIndex(temp)
    for (const text of [FIRST, '01990000-a', '0000beef', 'beef', 'BEEF', FIRST.toUpperCase(), ' beef\n']) {
      expect(await resolveSession(index, text), text).toMatchObject({ path, session: { id: FIRST } })
    }
    expect((await resolveSession(index, 'x1')).session?.id).toBe('x1')
  })

  test('N40 by a path, relative to the project, whether or not anything is there', async () => {
    using temp = makeTempHome()
    await using index = await openTempIndex(temp)
    const resolved = async (text: string) => (await resolveSession(index, text, { cwd: '/home/p' })).path
    expect(await resolved('/some/where.jsonl')).toBe('/some/where.jsonl')
    expect(await resolved('./where')).toBe('/home/p/where')
    expect(await resolved('where.jsonl')).toBe('/home/p/where.jsonl')
    expect(await resolved('../q/where.jsonl')).toBe('/home/q/where.jsonl')
  })

  test('N40 a part that fits several is refused with what they are: this project first, then the latest', async () => {
    using temp = makeTempHome()
    plant(temp, FIRST, { day: 1, cwd: '/here', prompt: 'The parser\nfails' })
    plant(temp, SECOND, { day: 3, cwd: '/there' })
    plant(temp, '01990000-cccc-7000-8000-00000000cafe', { day: 2, cwd: '/there' })
    await using index = await openTempIndex(temp)
    const error = await refusal(index, '01990000', '/here')
    expect(error).toMatchObject({ code: 'ambiguous_id', status: 409, exitCode: 4 })
    expect(error.message.split('\n')).toEqual([
      expect.stringMatching(/^3 sessions fit "01990000"/),
      '  0000beef  The parser fails  /here  2026-01-01T00:00:00.000Z',
      `  feedface  about ${SECOND}  /there  2026-01-03T00:00:00.000Z`,
      '  0000cafe  about 01990000-cccc-7000-8000-00000000cafe  /there  2026-01-02T00:00:00.000Z',
    ])
  })

  test('R2 of many candidates ten are shown and the others counted', async () => {
    using temp = makeTempHome()
    for (let i = 10; i < 33; i++) plant(temp, `same-${i}`)
    await using index = await openTempIndex(temp)
    const lines = (await refusal(index, 'same')).message.split('\n')
    expect(lines).toHaveLength(12)
    expect(lines[0]).toContain('23 sessions')
    expect(lines.at(-1)).toBe('  13 more')
  })

  test('N40 a whole id goes before ids that only begin with it; of copies none is chosen', async () => {
    using temp = makeTempHome()
    const path = plant(temp, 'abcd')
    plant(temp, 'abcd-and-more')
    plant(temp, 'more-abcd')
    await using index = await openTempIndex(temp)
    expect(await resolveSession(index, 'abcd')).toMatchObject({ path, session: { id: 'abcd' } })
    const copy = join(dirname(path), 'copy.jsonl')
    copyFileSync(path, copy)
    await index.refresh()
    const { code, message } = await refusal(index, 'abcd')
    expect(code).toBe('ambiguous_id')
    expect(message).toMatch(/^2 sessions fit "abcd"\. They have the same id: give the path:\n/)
    expect(message).toContain(path)
    expect(message).toContain(copy)
  })

  test('R2 ids that end alike are shown whole', async () => {
    using temp = makeTempHome()
    plant(temp, 'one-00001111')
    plant(temp, 'two-00001111')
    await using index = await openTempIndex(temp)
    const { message } = await refusal(index, '1111')
    expect(message).toContain('  one-00001111  ')
    expect(message).toContain('  two-00001111  ')
  })

  test('K4 what a log says of itself cannot look like another candidate', async () => {
    using temp = makeTempHome()
    plant(temp, 'one-1', { prompt: 'x\n  feedface  trust me', cwd: '/p\n  feedface  me too\u001b[2J', folder: '--x--' })
    plant(temp, 'one-2')
    await using index = await openTempIndex(temp)
    const { message } = await refusal(index, 'one-')
    expect(message.split('\n')).toHaveLength(3)
    expect(message).not.toContain('\u001b')
  })

  test('N40 nothing that fits: the error says so and where to look; three characters are too few', async () => {
    using temp = makeTempHome()
    plant(temp, FIRST)
    await using index = await openTempIndex(temp)
    for (const text of ['cafe', '0199-', '0000000', '%', '_', '*', '"', "' OR 1=1 --", 'x'.repeat(1_000_000)]) {
      const { code, message } = await refusal(index, text)
      expect(code, text.slice(0, 20)).toBe('session_not_found')
      expect(message).toContain('treeline ls')
      expect(message.length).toBeLessThan(400)
    }
    expect((await refusal(index, 'eef')).message).toContain('4 characters')
    for (const text of ['', '  ', 'a\0b']) expect((await refusal(index, text)).code).toBe('validation_failed')
  })

  test('N40 a session made just now counts, for the better or for the worse', async () => {
    using temp = makeTempHome()
    const path = plant(temp, FIRST)
    await using index = await openTempIndex(temp)
    await index.refresh()
    expect((await resolveSession(index, '01990000')).path).toBe(path)
    const second = plant(temp, SECOND)
    expect((await resolveSession(index, 'feedface')).path).toBe(second)
    const third = plant(temp, '01990000-dddd-7000-8000-000000000001')
    expect((await refusal(index, '01990000-')).message).toContain('3 sessions')
    rmSync(second)
    rmSync(third)
    expect((await resolveSession(index, '01990000')).path).toBe(path)
  })

  test('N40 every end of a shown id leads to its session, and what it resolves to can be opened', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create({ cwd: '/p' })
    await session.append(user('hello'))
    await store.create({ cwd: '/p' })
    await using index = await openTempIndex(temp)
    for (let chars = 8; chars <= session.id.length; chars++) {
      const { path } = await resolveSession(index, session.id.slice(-chars))
      expect((await store.openPath(path)).id).toBe(session.id)
    }
  })

  test('K3, K4 any text resolves to something that fits it, or is refused with a code', async () => {
    using temp = makeTempHome()
    plant(temp, FIRST)
    plant(temp, SECOND)
    await using index = await openTempIndex(temp)
    await index.refresh()
    const part = fc.tuple(fc.constantFrom(FIRST, SECOND), fc.nat(36), fc.nat(36))
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      part.map(([id, from, to]) => id.slice(from, to)),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        try {
          const { path, session } = await resolveSession(index, text, { cwd: '/p' })
          if (session === undefined) return path.startsWith('/')
          const wanted = text.trim().toLowerCase()
          return session.id!.startsWith(wanted) || session.id!.endsWith(wanted)
        } catch (error) {
          return error instanceof TreelineError && error.code !== 'internal'
        }
      }),
      { numRuns: runs(100) },
    )
  })
})
