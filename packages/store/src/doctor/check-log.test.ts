import { chmodSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome, openMemoryHome } from '../home.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { header, makeTempHome, message, type TempHome } from '../testing/temp-home.ts'
import { amount, forSeeds, TIMEOUT } from '../torture/amounts.ts'
import { LOG_PATH, placeLog } from '../torture/place-log.ts'
import { readLogBytes } from '../torture/read-bytes.ts'
import { makeSampleLog } from '../torture/sample-log.ts'
import { checkLog, type LogDiagnosis } from './check-log.ts'

async function checkLines(...lines: (object | string)[]): Promise<LogDiagnosis> {
  using temp = makeTempHome()
  const path = temp.plant('s1', ...lines)
  chmodSync(path, 0o600)
  return inHome(temp, (home) => checkLog(home, path))
}

async function inHome<T>(temp: TempHome, work: (home: Home) => Promise<T>): Promise<T> {
  const home = openHome({ home: temp.home })
  try {
    return await work(home)
  } finally {
    home.locks.close()
  }
}

const memoryHome = (storage: SessionStorage) => openMemoryHome({ storage })
const codesOf = ({ findings }: LogDiagnosis) => findings.map(({ code }) => code)
const one = message('one', 'a', null)

test('a log of ours is sound, and one of another tool too: its lines have no checksum, which is counted', async () => {
  const home = memoryHome(placeLog((await makeSampleLog(1)).bytes))
  expect(await checkLog(home, LOG_PATH)).toMatchObject({ verdict: 'sound', findings: [], uncheckedCount: 0 })
  const foreign = await checkLines(header('s1'), one, message('two', 'b', 'a'))
  expect(foreign).toMatchObject({ verdict: 'sound', findings: [], entryCount: 2, uncheckedCount: 2, sessionId: 's1' })
})

describe('I2 damage is named, with its place', () => {
  test('bytes that are no entry: offset, length, line and how they begin', async () => {
    const { verdict, findings } = await checkLines(header('s1'), 'a\u001b[31m"b"\\\n', one)
    expect(verdict).toBe('damaged')
    const offset = JSON.stringify(header('s1')).length + 1
    const preview = { hex: Buffer.from('a\u001b[31m"b"\\').toString('hex'), text: 'a\\x1b[31m"b"\\\\' }
    expect(findings).toMatchObject([{ code: 'not_json', severity: 'damage', offset, length: 10, line: 2, preview }])
  })

  test.each([
    ['not_an_object', '[1]\n'],
    ['no_type', '{"a":1}\n'],
    ['nul_run', `${'\0'.repeat(100)}\n`],
    ['garbage_before_record', `xx${JSON.stringify(message('two', 'b', 'a'))}\n`],
    ['garbage_after_record', `${JSON.stringify(message('two', 'b', 'a'))}xx\n`],
    ['too_deep', `{"type":"message","id":"x","parentId":null,"x":${'['.repeat(100)}${']'.repeat(100)}}\n`],
    ['unreadable_body', `${JSON.stringify(message('two', 'b', 'a')).replace('"content":', '"content"')}\n`],
  ])('%s', async (code, line) => {
    const diagnosis = await checkLines(header('s1'), one, line)
    expect(diagnosis.verdict).toBe('damaged')
    expect(codesOf(diagnosis)).toEqual([code])
    expect(diagnosis.findings[0]).toMatchObject({ line: 3, offset: expect.any(Number), message: expect.any(String) })
  })

  test.each([
    ['torn_tail', '{"type":"message","id":"b","par'],
    ['bom', `\ufeff${JSON.stringify(message('two', 'b', 'a'))}\n`],
    ['extra_header', `${JSON.stringify(header('other'))}\n`],
    ['crc_mismatch', `${JSON.stringify({ ...message('two', 'b', 'a'), crc: '00000000' })}\n`],
    ['duplicate_id', `${JSON.stringify(message('one more', 'a', null))}\n`],
    ['orphan', `${JSON.stringify(message('two', 'b', 'nowhere'))}\n`],
    ['self_parent', `${JSON.stringify(message('two', 'b', 'b'))}\n`],
    ['cycle', [message('x', 'b', 'c'), message('y', 'c', 'b')].map((line) => `${JSON.stringify(line)}\n`).join('')],
    [
      'edit_failed',
      `${JSON.stringify({
        ...{ type: 'custom', id: 'e', parentId: 'a', timestamp: '2026-01-01T00:00:02.000Z' },
        ...{ customType: 'treeline/edit', data: { ops: [{ op: 'mute', nodeIds: ['nowhere'] }], inverse: [] } },
      })}\n`,
    ],
  ])('%s is a note: everything can be read', async (code, line) => {
    const diagnosis = await checkLines(header('s1'), one, line)
    expect(codesOf(diagnosis)).toEqual([code])
    expect(diagnosis.verdict).toBe('notes')
  })

  test('a header that is missing, newer, older, or wrong', async () => {
    expect(codesOf(await checkLines(one))).toEqual(['no_header'])
    expect(codesOf(await checkLines(header('s1', 4), one))).toEqual(['newer_version'])
    expect(await checkLines(header('s1', 1), message('one'))).toMatchObject({ verdict: 'sound' })
    expect(codesOf(await checkLines({ ...header('s1'), cwd: 7 }, one))).toEqual(['header_invalid'])
  })

  test('a file of nothing, of other things, or that cannot be read is unreadable', async () => {
    expect(await checkLines('')).toMatchObject({ verdict: 'unreadable' })
    expect(await checkLines('#!/bin/sh\n')).toMatchObject({ verdict: 'unreadable' })
    const plan = new FaultPlan({ nth: 1, kinds: ['read'], outcome: { type: 'error', code: 'EIO' } })
    const home = memoryHome(createFaultyStorage(placeLog((await makeSampleLog(1)).bytes), plan))
    const diagnosis = await checkLog(home, LOG_PATH)
    expect(diagnosis.verdict).toBe('unreadable')
    expect(diagnosis.findings).toMatchObject([{ code: 'cannot_read', detail: expect.stringContaining('EIO') }])
    expect(await checkLog(home, '/nowhere.jsonl')).toMatchObject({ verdict: 'unreadable' })
  })

  test('flipped bits anywhere: what is found covers what was flipped', TIMEOUT, async () => {
    await forSeeds(amount(100, 100_000), async (seed) => {
      const random = seededRandom(seed)
      const bytes = (await sample()).slice()
      const at = Math.floor(random() * bytes.length)
      bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8))
      const { findings, entryCount } = await checkLog(memoryHome(placeLog(bytes)), LOG_PATH)
      expect(entryCount).toBe((await readLogBytes(bytes)).entries.length)
      // A line end that is none any more splices two lines, which loses nothing.
      const isCovered = findings.some(({ offset = -1, length = 0 }) => at >= offset && at < offset + length)
      expect(isCovered || (await sample())[at] === 0x0a).toBe(true)
    })
  })
})

let bytesOfSample: Promise<Uint8Array> | undefined
function sample(): Promise<Uint8Array> {
  bytesOfSample ??= makeSampleLog(3, 2).then(({ bytes }) => bytes)
  return bytesOfSample
}

test('blobs that are missing or damaged, each looked at once', async () => {
  using temp = makeTempHome()
  const image = (fill: string) => ({
    type: 'image',
    mimeType: 'image/png',
    data: Buffer.alloc(3000, fill).toString('base64'),
  })
  await using store = await openFileStore({ home: temp.home })
  const session = await store.create({ cwd: '/p' })
  await session.append({ type: 'message', message: { role: 'user', content: [image('a'), image('b')], timestamp: 0 } })
  await session.append({ type: 'message', message: { role: 'user', content: [image('a'), image('c')], timestamp: 0 } })
  await session.close()
  await inHome(temp, async (home) => {
    expect(await checkLog(home, session.path)).toMatchObject({ verdict: 'sound' })
    const [first, second] = home.storage.listFilesSync(home.paths.blobs, '*')
    writeFileSync(first!, 'something else')
    await home.storage.unlink(second!)
    const { verdict, findings } = await checkLog(home, session.path)
    expect(verdict).toBe('damaged')
    expect(findings.map(({ code }) => code).sort()).toEqual(['blob_damaged', 'blob_missing'])
    expect(findings.every(({ id, line }) => /^[a-f0-9]{64}$/.test(id ?? '') && (line ?? 0) > 1)).toBe(true)
  })
})

test('K5 the mode of the file, and what lies beside it', async () => {
  using temp = makeTempHome()
  const path = temp.plant('s1', header('s1'), one)
  chmodSync(path, 0o644)
  writeFileSync(`${path}.v1`, '')
  writeFileSync(`${path}.0123.tmp`, '')
  writeFileSync(`${path}.4567.tmp`, '')
  utimesSync(`${path}.4567.tmp`, 1, 1)
  await inHome(temp, async (home) => {
    const diagnosis = await checkLog(home, path)
    expect(codesOf(diagnosis).sort()).toEqual(['kept_original', 'old_temp_file', 'open_mode', 'temp_file'])
    expect(diagnosis.verdict).toBe('notes')
    expect(statSync(path).mode & 0o777).toBe(0o644)
  })
})

test('progress is told, and a signal ends it', async () => {
  const { bytes } = await makeSampleLog(1)
  const home = memoryHome(placeLog(bytes))
  const told: number[] = []
  await checkLog(home, LOG_PATH, { onProgress: (done, total) => told.push(done / total) })
  expect(told.at(-1)).toBeCloseTo(1, 2)
  await expect(checkLog(home, LOG_PATH, { signal: AbortSignal.abort() })).rejects.toThrow()
})

test('a file of a million lines of nothing does not fill memory with findings', async () => {
  const home = memoryHome(placeLog(Buffer.from('x\n'.repeat(30_000))))
  const { findings, unlisted } = await checkLog(home, LOG_PATH)
  expect(findings.length).toBeLessThanOrEqual(10_001)
  expect(unlisted).toBeGreaterThanOrEqual(19_999)
})
