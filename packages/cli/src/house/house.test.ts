import { existsSync, readFileSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

test('R1 a session goes to the trash, is listed there, comes back, and is purged only when that is confirmed', async () => {
  const { id, path, sessionId, ...at } = await sampleHome()
  const trashed = await callTreeline(['trash', id], at)
  expect(trashed.stdout).toMatch(/^In the trash: \w{8}, [\d.]+ KB\. Bring it back: treeline restore \w{8}\n$/)
  expect(existsSync(path)).toBe(false)
  const [, trashId] = /treeline restore (\w{8})/.exec(trashed.stdout)!

  const listed = await callTreeline(['restore'], at)
  expect(listed.stdout).toContain(`session ${id}`)
  const back = await callTreeline(['restore', trashId!], at)
  expect(back.stdout).toContain(path)
  expect(existsSync(path)).toBe(true)

  await callTreeline(['trash', id], at)
  const looked = await callTreeline(['purge', '--json'], at)
  expect(looked.json()).toMatchObject({ dryRun: true, items: [{ sessionId }], failed: [] })
  const young = await callTreeline(['purge', '--older-than', '30d'], at)
  expect(young.stdout).toBe('There is nothing to remove.\n')
  const said = await callTreeline(['purge', sessionId, '--yes'], at)
  expect(said.stdout).toMatch(/Removed for good: 1 item, /)
  expect((await callTreeline(['restore', '--json'], at)).json()).toEqual({ items: [] })
  expect((await callTreeline(['restore'], at)).stdout).toContain('The trash is empty.')
  expect(readFileSync(`${at.home}/audit.jsonl`, 'utf8')).toMatch(/"action":"purge"/)
})

test('purge asks at a terminal, and no is no', async () => {
  const { id, ...at } = await sampleHome()
  await callTreeline(['trash', id], at)
  const no = await callTreeline(['purge'], { ...at, isTty: true, stdin: 'n\n' })
  expect(no.stderr).toContain('Remove 1 item for good? This cannot be taken back.')
  expect(no.stdout).toContain('Nothing was removed.')
  const ended = await callTreeline(['purge'], { ...at, isTty: true, stdin: '' })
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was removed.') })
  const yes = await callTreeline(['purge'], { ...at, isTty: true, stdin: 'y\n' })
  expect(yes.stdout).toContain('Removed for good: 1 item')
})

test('I7 of several sessions one that cannot be trashed keeps no other, and the exit code says so', async () => {
  const { id, path, ...at } = await sampleHome()
  const trashed = await callTreeline(['trash', 'nosuchsession', id, '--json'], at)
  expect(trashed.code).toBe(3)
  expect(trashed.json()).toMatchObject({
    trashed: [{ path }],
    failed: [{ name: 'nosuchsession', code: 'session_not_found' }],
  })
  const missing = await callTreeline(['restore', 'nothing'], at)
  expect(missing).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Nothing in the trash is called "nothing"'),
  })
})

test('open and pinned sessions stay', async () => {
  const { id, sessionId, path, ...at } = await sampleHome()
  {
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open(sessionId)
    const open = await callTreeline(['trash', id], at)
    expect(open).toMatchObject({ code: 4, stderr: expect.stringContaining('is open') })
    await session.edit({ operations: [{ op: 'session', patch: { starred: true } }] })
  }
  const plan = await callTreeline(['gc', '--older-than', '0', '--apply', '--json'], at)
  expect(plan.json()).toMatchObject({ applied: true, plan: { sessions: [], kept: { pinned: 1 } } })
  const pinned = await callTreeline(['trash', id], at)
  expect(pinned).toMatchObject({ code: 5, stderr: expect.stringContaining('is pinned') })
  expect((await callTreeline(['trash', id, '--force'], at)).code).toBe(0)
  expect(existsSync(path)).toBe(false)
})

test('gc shows what takes the space, plans by age, and moves to the trash only with --apply', async () => {
  const { id, path, sessionId, ...at } = await sampleHome()
  const shown = await callTreeline(['gc'], at)
  expect(shown.stdout).toMatch(/logs +[\d.]+ KB +the conversations/)
  expect(shown.stdout).toContain('--older-than 6m')
  expect(shown.stdout).toContain('Nothing has to go.')
  const one = await callTreeline(['gc', id, '--json'], at)
  expect(one.json().branches.map((branch: { leafId: string }) => branch.leafId)).toEqual(['rep00002', 'rep00003'])
  expect((await callTreeline(['gc', id], at)).stdout).toMatch(/rep00003 +\d+ B +\d+ B +trunk/)
  const planned = await callTreeline(['gc', '--older-than', '0d'], at)
  expect(planned.stdout).toMatch(/1 session, [\s\S]*Nothing was changed\. `--apply` moves it to the trash\./)
  expect(existsSync(path)).toBe(true)
  const kept = await callTreeline(['gc', '--older-than', '0d', '--keep-last', '1', '--json'], at)
  expect(kept.json().plan).toMatchObject({ sessions: [], kept: { latest: 1 } })
  const done = await callTreeline(['gc', '--older-than', '0d', '--apply', '--json'], at)
  expect(done.json()).toMatchObject({ applied: true, done: { trashed: [{ sessionId }] } })
  expect(existsSync(path)).toBe(false)
  const wrong = await callTreeline(['gc', '--keep-last', '3'], at)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('need --older-than') })
})
