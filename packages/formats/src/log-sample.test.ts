import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recogniseLog } from './log-sample.ts'
import { detectOmp } from './omp/detect.ts'
import { isAgentCoreV4, refuseAgentCoreV4 } from './pi/agent-core-v4.ts'
import { detectPi } from './pi/detect.ts'
import { takeSample } from './sample.ts'
import { hasShared, listFixtures, SKIPPED } from './testing/shared-fixtures.ts'
import { toText } from './testing/temp-folder.ts'
import { detectXcsh } from './xcsh/detect.ts'

const HEADER = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
const MESSAGE = {
  type: 'message',
  id: 'a1',
  parentId: null,
  timestamp: '2026-01-01T00:00:01.000Z',
  message: { role: 'user', content: 'Hello' },
}

function sampleOf(...lines: readonly (object | string)[]) {
  const bytes = new TextEncoder().encode(toText(lines))
  return takeSample(bytes, bytes.length)
}

test('X75 the tools of the family are told apart by what is in a file', () => {
  const surenesses = (...lines: readonly (object | string)[]) => {
    const sample = sampleOf(...lines)
    return [detectPi(sample), detectXcsh(sample), detectOmp(sample)]
  }
  expect(surenesses(HEADER, MESSAGE)).toEqual([1, 0, 0])
  expect(surenesses({ ...HEADER, id: '0123456789abcdef' }, MESSAGE)).toEqual([0, 1, 0])
  expect(surenesses({ type: 'title', v: 1, title: 'T', pad: ' ' }, HEADER, MESSAGE)).toEqual([0, 0, 1])
  expect(surenesses(HEADER, { ...MESSAGE, type: 'reset_boundary' })).toEqual([0, 0, 1])
  expect(surenesses({ ...HEADER, crc: '00000000' }, MESSAGE)).toEqual([1, 0, 0])
})

test('I3 damage before or in the header leaves a log a log', () => {
  const certain = recogniseLog(sampleOf(HEADER, MESSAGE)).sureness
  const damaged = [
    sampleOf('garbage\n', HEADER, MESSAGE),
    sampleOf(MESSAGE, HEADER),
    sampleOf('{"type":"session","version":3,"id"\n', MESSAGE, MESSAGE),
    sampleOf('{"type":"session","version":3,"id"'),
    sampleOf(MESSAGE, MESSAGE),
    sampleOf({ type: 'session', id: 7 }, MESSAGE),
    sampleOf({ type: 'title', v: 1, title: 'T' }, '{"type":"sess'),
  ]
  for (const sample of damaged) {
    const { sureness } = recogniseLog(sample)
    expect(sureness).toBeGreaterThan(0)
    expect(sureness).toBeLessThanOrEqual(certain)
  }
})

test('X75 what is no log of the family is not taken for one', () => {
  const others = [
    sampleOf(),
    sampleOf('\n  \n'),
    sampleOf('# Notes\n', 'about a session\n'),
    sampleOf({ id: '1', parentId: null, timestamp: 1, type: 'user', content: 'Hi' }),
    sampleOf({ type: 'message', uuid: 'a', parentUuid: null, timestamp: '2026-01-01', role: 'user' }),
    sampleOf({ type: 'config', config: {} }),
    sampleOf('[1,2]\n', 'null\n', '42\n'),
    sampleOf({ v: 4, kind: 'header', id: 'x', storageVersion: 1, createdAt: 1, cwd: '/p' }),
  ]
  for (const sample of others) expect(recogniseLog(sample).sureness).toBe(0)
})

test('I4 pi-agent-core 4 is refused by its name', () => {
  const sample = sampleOf({ v: 4, kind: 'header', id: 'x', cwd: '/p' }, { kind: 'entry', seq: 1 })
  expect(isAgentCoreV4(sample)).toBe(true)
  expect(() => refuseAgentCoreV4('/x.jsonl', sample)).toThrow(/pi-agent-core 0.84 to 0.87.*was not changed/)
  expect(isAgentCoreV4(sampleOf({ ...HEADER, version: 4 }))).toBe(false)
})

const EMPTY = /\/(20-empty-file|20b-whitespace-only|empty|whitespace)/

test.skipIf(!hasShared)(hasShared ? 'every file of the tools that holds anything is recognised' : SKIPPED, () => {
  const missed = listFixtures('pi', 'xcsh/sessions', 'omp18/sessions').filter(([, path]) => {
    const bytes = readFileSync(path)
    return recogniseLog(takeSample(bytes, bytes.length)).sureness === 0
  })
  expect(missed.map(([name]) => name).filter((name) => !EMPTY.test(name))).toEqual([])
})

test.skipIf(!hasShared)(hasShared ? 'every file of oh-my-pi 18 is known for its own' : SKIPPED, () => {
  for (const [name, path] of listFixtures('omp18/sessions')) {
    const bytes = readFileSync(path)
    expect([name, detectOmp(takeSample(bytes, bytes.length))]).toEqual([name, 1])
  }
})
