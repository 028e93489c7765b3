import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

test('P21 every branch by its leaf: length, last words, age; the trunk is marked', async () => {
  const { home, cwd, path } = await sampleHome()
  const { code, stdout } = await runTreeline(['branches', path], { home, cwd })
  expect(code).toBe(0)
  const rows = stdout.split('\n')
  expect(rows[0]).toMatch(/leaf +nodes +active +label +last message/)
  expect(rows[1]).toMatch(/^● {2}rep00003 +4 {2}\S.* Because nobody caught the error\.$/)
  expect(rows[2]).toMatch(/^○ {2}rep00002 +4 {2}\S.* It goes on now\./)
  expect(rows.slice(0, 3).every((row) => row.length <= 80)).toBe(true)
  expect(rows[3]).toBe(`Go on at another: treeline switch ${path} rep00002`)
})

test('X34, X35 labelled nodes and a leaf in the middle are listed too', async () => {
  const { home, cwd, path, sessionId } = await sampleHome()
  {
    await using store = await openFileStore({ home })
    await using session = await store.open(sessionId)
    await session.setLabel('ask00001', 'start')
    await session.branch('rep00001')
  }
  const { leafId, count, branches } = (await callTreeline(['branches', path, '--json'], { home, cwd })).json()
  expect([leafId, count]).toEqual(['rep00001', 4])
  expect(branches).toMatchObject([
    { leafId: 'rep00003', length: 4, isTrunk: false, isEnd: true, preview: 'Because nobody caught the error.' },
    { leafId: 'rep00002', length: 4, isTrunk: false, isEnd: true },
    { leafId: 'rep00001', length: 2, isTrunk: true, isEnd: false },
    { leafId: 'ask00001', length: 1, isTrunk: false, isEnd: false, label: 'start' },
  ])
  expect(branches[0].lastActiveAt).toBe('2026-01-02T03:04:05.000Z')
})

test('of many branches the latest are shown; the document has all', async () => {
  const many = Array.from({ length: 300 }, (_, i) => entry(`b${i}`, 'n0', { role: 'user', content: `try ${i}` }))
  const path = writeLog([...chain(1), ...many])
  const { stdout } = await callTreeline(['branches', path, '--limit', '2'])
  expect(stdout).toMatch(/b299 .* try 299\n.*b298 .* try 298\n298 older branches not shown/)
  expect((await callTreeline(['branches', path, '--json'])).json().branches.length).toBe(300)
})

test('no branches yet, and no such file', async () => {
  expect(await callTreeline(['branches', writeLog([])])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/no messages yet/),
  })
  expect((await callTreeline(['branches', './nothing.jsonl'])).code).toBe(3)
})
