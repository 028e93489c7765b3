import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

test('mute tells what is out, what the line is now and how to take it back; undo and redo do so', async () => {
  const { id, sessionId, ...at } = await sampleHome()
  const muted = await callTreeline(['mute', id, 'ask00003', 'rep00003'], at)
  expect(muted.stderr).toBe('')
  expect(muted.code).toBe(0)
  expect(muted.stdout).toMatch(
    /^Muted 2 nodes:\n {2}ask00003 {2}user {7}Why the first\?\n {2}rep00003 {2}assistant {2}Because/,
  )
  expect(muted.stdout).toMatch(/The line: 4 messages, about \d+ tokens → 2 messages, about \d+\./)
  const [, edit] = new RegExp(`Take it back: treeline undo ${id} (\\w{8})`).exec(muted.stdout)!

  const again = await callTreeline(['mute', id, 'ask00003', '--json'], at)
  expect(again.json()).toMatchObject({ sessionId, changed: false, editId: null, operations: [] })

  const undone = await callTreeline(['undo', id, '--json'], at)
  expect(undone.json()).toMatchObject({ changed: true, undoes: edit, leafId: 'rep00003' })
  expect(undone.json().line).toMatchObject({ before: { messages: 2 }, after: { messages: 4 } })

  const redone = await callTreeline(['redo', id, edit!], at)
  expect(redone.stdout).toMatch(/^Redone: mute 2 nodes\n/)
  const taken = await callTreeline(['undo', id], at)
  expect(taken.stdout).toMatch(/^Undone: mute 2 nodes\n[\s\S]*Do it again: treeline redo/)
  const list = await callTreeline(['undo', id, '--list'], at)
  expect(list.stdout).toMatch(new RegExp(`${edit} .* mute 2 nodes +undone`))
})

test('mute takes subtrees and labels, and refuses what it cannot tell apart', async () => {
  const { id, ...at } = await sampleHome()
  await callTreeline(['label', id, 'ask00002', 'detour'], at)
  const muted = await callTreeline(['mute', id, 'detour', '--subtree', '--json'], at)
  expect(muted.json().changedIds).toEqual(['ask00002', 'rep00002'])
  expect(muted.json().line.before).toEqual(muted.json().line.after)
  const unmuted = await callTreeline(['unmute', id, 'rep00002', '--ancestors'], at)
  expect(unmuted.stdout).toContain('Unmuted 2 nodes')
  const many = await callTreeline(['mute', id, 'ask'], at)
  expect(many.code).toBe(4)
  expect(many.stderr).toContain('3 nodes fit "ask": ask00001, ask00002, ask00003. Give more of the id.')
  const none = await callTreeline(['mute', id, 'nothere', '--json'], at)
  expect(none.code).toBe(3)
  expect(JSON.parse(none.stderr).error.code).toBe('node_not_found')
  const both = await callTreeline(['mute', id, 'ask00002', '--subtree', '--ancestors'], at)
  expect(both.code).toBe(2)
})

test('prune stashes, graft brings back elsewhere, switch moves the leaf', async () => {
  const { id, ...at } = await sampleHome()
  const pruned = await callTreeline(['prune', id, 'rep00001', '--json'], at)
  expect(pruned.json()).toMatchObject({
    leafId: 'rep00001',
    stashed: [
      { fragmentId: 'ask00002', nodeCount: 2 },
      { fragmentId: 'ask00003', nodeCount: 2 },
    ],
  })
  expect(pruned.json().warnings[0].code).toBe('active_leaf_moved')
  const empty = await callTreeline(['prune', id, 'rep00001'], at)
  expect(empty.stdout).toContain('Nothing hangs under rep00001. Nothing was written.')
  const grafted = await callTreeline(['graft', id, 'ask00003', 'ask00001', '--before', 'rep00001', '--json'], at)
  expect(grafted.json().operations[0]).toMatchObject({ op: 'graft', targetId: 'ask00001', index: 0 })
  const switched = await callTreeline(['switch', id, 'ask00003', '--descend'], at)
  expect(switched.stdout).toMatch(/^Switched: the conversation goes on from\n {2}rep00003 {2}assistant/)
  const out = await callTreeline(['switch', id, 'null', '--json'], at)
  expect(out.json()).toMatchObject({ leafId: null, line: { after: { messages: 0 } } })
  const cycle = await callTreeline(['graft', id, 'ask00001', 'rep00001'], at)
  expect(cycle.code).toBe(2)
  const stranger = await callTreeline(['graft', id, 'ask00002', 'ask00001', '--before', 'ask00002'], at)
  expect(stranger.stderr).toContain('ask00002 is no child of ask00001')
})

test('graft --before counts without what is moved', async () => {
  const { id, sessionId, ...at } = await sampleHome()
  const branches = async () => {
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open(sessionId, { readOnly: true })
    const { columns, ids } = session.tree
    return columns.children(ids.find('rep00001')).map((ref) => ids.textOf(ref))
  }
  await callTreeline(['graft', id, 'rep00002', 'rep00001'], at)
  expect(await branches()).toEqual(['ask00002', 'ask00003', 'rep00002'])
  await callTreeline(['graft', id, 'ask00002', 'rep00001', '--before', 'rep00002'], at)
  expect(await branches()).toEqual(['ask00003', 'ask00002', 'rep00002'])
  await callTreeline(['graft', id, 'rep00002', 'rep00001', '--before', 'ask00003'], at)
  expect(await branches()).toEqual(['rep00002', 'ask00003', 'ask00002'])
  const same = await callTreeline(['graft', id, 'ask00002', 'rep00001', '--json'], at)
  expect(same.json().changed).toBe(false)
})

test('label and rename set and clear; without a text rename asks for one', async () => {
  const { id, ...at } = await sampleHome()
  const labelled = await callTreeline(['label', id, 'leaf', 'good idea'], at)
  expect(labelled.stdout).toMatch(/^Labelled "good idea":\n {2}rep00003/)
  const cleared = await callTreeline(['label', id, 'good idea', '--json'], at)
  expect(cleared.json().operations).toEqual([{ op: 'label', nodeId: 'rep00003', label: null }])
  const renamed = await callTreeline(['rename', id, 'Parser rewrite'], at)
  expect(renamed.stdout).toMatch(/^Renamed: Parser rewrite\n/)
  const same = await callTreeline(['rename', id, 'Parser rewrite'], at)
  expect(same.stdout).toBe('The session is called that already. Nothing was written.\n')
  const nameless = await callTreeline(['rename', id, '--clear', '--json'], at)
  expect(nameless.json()).toMatchObject({ name: null, changed: true })
  const missing = await callTreeline(['rename', id], at)
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('NAME is missing') })
})

test('undo says when there is nothing to take back', async () => {
  const { id, ...at } = await sampleHome()
  const undone = await callTreeline(['undo', id], at)
  expect(undone.code).toBe(4)
  expect(undone.stderr).toContain('There is no edit of yours left to undo.')
  const list = await callTreeline(['undo', id, '--list'], at)
  expect(list.stdout).toContain('No edits yet.')
})

test("I4 another tool's session is forked with its lineage, and changed only in place when asked", async () => {
  const { path, cwd, ...at } = await sampleHome()
  const foreign = join(cwd, 'pi.jsonl')
  writeFileSync(foreign, readFileSync(path))
  const before = readFileSync(foreign)
  const refused = await callTreeline(['mute', foreign, 'ask00001'], { ...at, cwd })
  expect(refused.code).toBe(5)
  expect(refused.stderr).toMatch(/treeline import .* or change the file itself with --in-place/)
  const forked = await callTreeline(['fork', foreign, '--node', 'rep00001', '--name', 'Mine', '--json'], { ...at, cwd })
  expect(forked.json()).toMatchObject({ parentSession: at.sessionId, leafId: 'rep00001', leftOut: [] })
  expect(readFileSync(foreign)).toEqual(before)
  await using store = await openFileStore({ home: at.home })
  await using fork = await store.open(forked.json().sessionId)
  expect(fork.header).toMatchObject({ parentSession: at.sessionId, title: 'Mine' })
  expect((await fork.line()).nodes.map(({ nodeId }) => nodeId)).toEqual(['ask00001', 'rep00001'])
  const muted = await callTreeline(['mute', foreign, 'ask00001', '--in-place'], { ...at, cwd })
  expect(muted.code).toBe(0)
  expect(muted.stdout).toContain(`treeline undo ${foreign} --in-place `)
  expect(muted.stderr).toMatch(/is kept by \w+\. What is acknowledged is on disk/)
  expect(readFileSync(foreign).subarray(0, before.length)).toEqual(before)
})

test('a session that is no log is forked out of its translation, with its lineage and its images', async () => {
  const cwd = tempFolder()
  const image = 'A'.repeat(4000)
  const message = (uuid: string, parentUuid: string | null, role: string, content: unknown) => {
    return {
      type: 'message',
      uuid,
      parentUuid,
      role,
      content,
      sessionId: 'neo-1',
      timestamp: '2026-01-02T03:04:05.000Z',
    }
  }
  const picture = { type: 'image', data: image, mimeType: 'image/png' }
  const records = [
    message('uuid-1', null, 'user', [{ type: 'text', text: 'Look' }, picture]),
    message('uuid-2', 'uuid-1', 'assistant', [{ type: 'text', text: 'Nice' }]),
    message('uuid-3', 'uuid-1', 'assistant', [{ type: 'text', text: 'Ugly' }]),
  ]
  const file = join(cwd, 'neo-1.jsonl')
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const forked = await callTreeline(['fork', file, '--node', 'uuid-2', '--cwd', '.', '--json'], { cwd })
  expect(forked.stderr).toBe('')
  expect(forked.json()).toMatchObject({ parentSession: 'neo-1', leafId: 'uuid-2', leftOut: [] })
  await using store = await openFileStore({ home: join(cwd, '.treeline-home') })
  await using fork = await store.open(forked.json().sessionId)
  expect(fork.header).toMatchObject({ parentSession: 'neo-1', cwd })
  expect(await fork.readEntry('uuid-3')).toBeUndefined()
  expect(JSON.stringify((await fork.readFull('uuid-1'))?.entry)).toContain(image)
  const refused = await callTreeline(['mute', file, 'uuid-1'], { cwd })
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('treeline import') })
})

test('fork takes the path by default, and all branches when asked', async () => {
  const { id, ...at } = await sampleHome()
  const path = await callTreeline(['fork', id], at)
  expect(path.stdout).toMatch(/^Forked: \w{8} with 4 entries, from \w{8}\n/)
  const whole = await callTreeline(['fork', id, '--how', 'whole', '--json'], at)
  expect(whole.json()).toMatchObject({ entries: 6, leafId: 'rep00003' })
  const wrong = await callTreeline(['fork', id, '--how', 'some'], at)
  expect(wrong.stderr).toContain('--how takes path, subtree, whole; not "some"')
})
