import { openMemoryStore, type Session } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assistantSays, toolStep, userSays } from '../testing/say.ts'
import { askedText, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { compact } from './compact.ts'
import { piPolicy } from './pi-policy.ts'
import { rerunCompaction } from './rerun-compaction.ts'
import { undoCompaction } from './undo-compaction.ts'

let session: Session
beforeEach(async () => {
  session = await (await openMemoryStore()).create({ cwd: '/project' })
  for (const draft of turns('x', 3)) await session.append(draft)
})
afterEach(() => session.close())

const turns = (mark: string, count: number) =>
  Array.from({ length: count }, (_, i) => [
    userSays(`${mark}q${i} ${'word '.repeat(80)}`),
    ...toolStep(`${mark}${i}`, 'read', { path: 'a.ts' }, 'out'),
    assistantSays(`${mark}a${i}`),
  ]).flat()

const signal = new AbortController().signal
const model = scriptedModel({
  script: (question) => (askedText(question).includes('BRIEFLY') ? 'Second notes.' : 'First notes.'),
  info: { contextWindow: 20_000 },
})
const env = testEnv({ model, policy: piPolicy({ reserveTokens: 1_000, keepRecentTokens: 100 }) })
const line = async (leafId = session.leafId) => JSON.stringify((await session.line({ leafId })).messages)
const compactNow = async () => (await compact(env, session, { model, reason: 'manual', signal }))!.nodeId

async function goOn(): Promise<void> {
  for (const draft of turns('y', 2)) await session.append(draft)
}

describe('undoing a compaction', () => {
  test('gives the old line back byte for byte, also when turns followed', async () => {
    const before = await line()
    const leafId = session.leafId
    const id = await compactNow()
    expect(await line()).not.toBe(before)
    await goOn()
    const said = session.leafId
    await undoCompaction(session, id)
    expect(session.leafId).toBe(said)
    expect(await line(leafId)).toBe(before)
    expect((await line()).startsWith(before.slice(0, -1))).toBe(true)
    expect(await line()).toContain('yq1')
  })

  test('of two takes away the one that is named', async () => {
    const first = await compactNow()
    await goOn()
    const between = await line()
    const second = await compactNow()
    await undoCompaction(session, second)
    expect(await line()).toBe(between)
    await undoCompaction(session, first)
    expect(await line()).toContain('xq0')
  })

  test('can be redone', async () => {
    const id = await compactNow()
    const after = await line()
    await undoCompaction(session, id)
    await session.redo()
    expect(await line(id)).toBe(after)
  })

  test('works for one that another tool wrote, and is itself undone', async () => {
    const before = await line()
    const leaf = session.leafId!
    const { id } = await session.append({
      type: 'compaction',
      summary: 'Theirs',
      firstKeptEntryId: leaf,
      tokensBefore: 1,
    })
    await undoCompaction(session, id)
    expect(await line()).toBe(before)
    await session.undo()
    expect(await line(id)).toContain('Theirs')
  })

  test('refuses what is no compaction, and one that is undone already', async () => {
    const id = await compactNow()
    await undoCompaction(session, id)
    await expect(undoCompaction(session, id)).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(undoCompaction(session, session.leafId!)).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(undoCompaction(session, 'nowhere')).rejects.toMatchObject({ code: 'node_not_found' })
  })
})

describe('running a compaction again', () => {
  const rerun = (id: string) => rerunCompaction(env, session, id, { model, instructions: 'BRIEFLY', signal })

  test('puts new notes in the place of the old ones; the leaf stays with the conversation; one undo takes it back', async () => {
    const old = await compactNow()
    await goOn()
    const before = await line()
    const leaf = session.leafId
    const report = (await rerun(old))!
    expect(session.leafId).toBe(leaf)
    expect(await line()).toBe(before.replace('First notes.', 'Second notes.').replace(old, report.nodeId))
    expect(await line(old)).toContain('First notes.')
    expect((await session.readEntry(report.nodeId))?.parentId).toBe((await session.readEntry(old))?.parentId)
    await session.undo()
    expect(session.leafId).toBe(leaf)
    expect(await line()).toBe(before)
  })

  test('when nothing was said since the leaf goes to the new one, with the model that was chosen since', async () => {
    const old = await compactNow()
    await session.append({ type: 'model_change', model: 'scripted/two' })
    const leaf = session.leafId
    const report = (await rerun(old))!
    expect(await line()).toContain('Second notes.')
    expect((await session.line()).state.models.default).toBe('scripted/two')
    await session.undo()
    expect(session.leafId).toBe(leaf)
    expect(await line()).toContain('First notes.')
    expect(session.tree.ids.find(report.nodeId)).toBeGreaterThan(0)
  })

  test('the new one can be undone by its name, also when turns followed', async () => {
    const whole = await line()
    const leaf = session.leafId
    const old = await compactNow()
    const report = (await rerun(old))!
    await goOn()
    await undoCompaction(session, report.nodeId)
    expect(await line()).toContain('yq1')
    expect(await line(leaf)).toBe(whole)
    expect((await line()).startsWith(whole.slice(0, -1))).toBe(true)
  })
})
