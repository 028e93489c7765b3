import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

function damaged(path: string): Buffer {
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[3] = '{"type":"mess\u0000\u0000'
  return Buffer.from(lines.join('\n'))
}

test('I5 repair saves what can be read and keeps the damaged log beside it', async () => {
  const { path, sessionId, ...at } = await sampleHome()
  const bytes = damaged(path)
  writeFileSync(path, bytes)
  const planned = await callTreeline(['repair', path, '--dry-run'], at)
  expect(planned.stdout).toMatch(/^Can be saved: \d entries\n[\s\S]*Nothing was written\./)
  expect(readFileSync(path)).toEqual(bytes)
  const repaired = await callTreeline(['repair', path, '--json'], at)
  expect(repaired.json()).toMatchObject({
    dryRun: false,
    sessionId,
    path,
    originalPath: `${path}.damaged`,
    header: 'kept',
  })
  expect(readFileSync(`${path}.damaged`)).toEqual(bytes)
  const again = await callTreeline(['repair', path], at)
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('There is nothing to repair') })
})

test('R2 a file that is no log is not repaired as one', async () => {
  const { cwd, ...at } = await sampleHome()
  const record = { type: 'message', uuid: 'u1', parentUuid: null, role: 'user', content: 'Hi', sessionId: 'neo-1' }
  writeFileSync(join(cwd, 'neo.jsonl'), `${JSON.stringify({ ...record, timestamp: '2026-01-02T03:04:05.000Z' })}\n`)
  const repaired = await callTreeline(['repair', 'neo.jsonl'], { ...at, cwd })
  expect(repaired).toMatchObject({ code: 2, stderr: expect.stringContaining('is no log but a file of Neovate') })
})

test("I4 another tool's damaged file stays as it is; the sound copy is in the home", async () => {
  const { path, ...at } = await sampleHome()
  const foreign = join(at.cwd, 'broken.jsonl')
  const bytes = damaged(path)
  writeFileSync(foreign, bytes)
  const repaired = await callTreeline(['repair', 'broken.jsonl'], at)
  expect(repaired.stdout).toContain(`The damaged one:   ${foreign}`)
  expect(repaired.stdout).toContain(`The sound session: ${at.home}/sessions/`)
  expect(readFileSync(foreign)).toEqual(bytes)
})
