import type { TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import type { Session } from '../session/session.ts'
import type { SessionStore } from '../store.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, idsOf, lookAt, trunkOf } from './look.ts'
import { assistant, converse, model, user } from './say.ts'

/**
 * q1 ─ a1 ─ q2 ─ a2            q2 was moved under a3, q1 … copied as k1 … below a2, and one went on from there.
 *       └─ m1 ─ q3 ─ a3 ─ q2 ─ a2 ─ k1 ─ k2 ─ q4 ─ a4
 */
async function makeEdited(store: SessionStore): Promise<Session> {
  const session = await store.create({ cwd: '/source', title: 'The source' })
  await converse(session, 'q1', 'a1', 'q2', 'a2')
  await session.branch('a1')
  await session.append(model('big', 'm1'))
  await converse(session, 'q3', 'a3')
  await session.append(user('in the way', 'x1'))
  await session.branch('a3')
  await session.edit({ operations: [{ op: 'graft', sourceId: 'q2', targetId: 'a3' }] })
  await session.append(user('apart', 'r2'), { parentId: null })
  await session.append(assistant('apart', 'r3'))
  const idMap = { r2: 'k1', r3: 'k2' }
  await session.edit({ operations: [{ op: 'graft', sourceId: 'r2', targetId: 'a2', mode: 'copy', idMap }] })
  await session.branch('k2')
  await converse(session, 'q4', 'a4')
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['a1', 'k1', 'x1'] }] })
  await session.setLabel('q3', 'here')
  await session.setLabel('a4', 'and here')
  await session.setLabel('x1', 'not on the path')
  await session.edit({ operations: [{ op: 'meta', nodeId: 'a3', patch: { rating: 4, pinned: true } }] })
  await session.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'] })
  return session
}

const TRUNK = ['q1', 'a1', 'q3', 'a3', 'q2', 'a2', 'k1', 'k2', 'q4', 'a4']

export function forkContract(options: ContractOptions): void {
  describe('fork', () => {
    test('X73 a fork of a path is a session of its own with its lineage, its project and its name', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const fork = await given.store.fork(source, { cwd: '/other' })
      expect(fork.id).not.toBe(source.id)
      expect(fork.header).toMatchObject({ version: 3, cwd: '/other', parentSession: source.id })
      expect(fork.name).toBe('The source')
      expect(await given.store.list({ cwd: '/other' })).toMatchObject([{ id: fork.id, parentSession: source.id }])
      const named = await given.store.fork(source, { id: 'my-fork', title: 'Mine' })
      expect(named.id).toBe('my-fork')
      expect(named.header.cwd).toBe('/source')
      expect(named.name).toBe('Mine')
      await expect(given.store.fork(source, { id: 'my-fork' })).rejects.toMatchObject({ code: 'id_in_use' })
      await expect(given.store.fork(source, { id: '../x' })).rejects.toMatchObject({ code: 'validation_failed' })
    })

    test.each(['path', 'subtree', 'whole'] as const)('a fork (%s) is called what was asked for', async (how) => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      await source.rename('Another name')
      expect((await given.store.fork(source, { how })).name).toBe('Another name')
      const fork = await given.store.fork(source, { how, title: 'Mine' })
      expect(fork.name).toBe('Mine')
      expect(fork.leafId).toBe(source.leafId)
      expect((await given.store.fork(fork, { how })).name).toBe('Mine')
    })

    test('G2 where a rename is taken back in a whole fork, it is called what its source was before', async () => {
      await using given = await openGiven(options)
      for (const title of ['First', undefined]) {
        const source = await given.store.create({ cwd: '/source', ...(title !== undefined && { title }) })
        await source.rename('Second')
        await source.rename(null)
        const fork = await given.store.fork(source, { how: 'whole' })
        expect(await namesOf(given.store, fork)).toEqual([undefined, undefined])
        await fork.undo()
        expect(await namesOf(given.store, fork)).toEqual(['Second', 'Second'])
        await fork.undo()
        expect(await namesOf(given.store, fork)).toEqual([title, title])
      }
    })

    test('a whole fork has the name that was asked for, in every list, whatever its source was called', async () => {
      await using given = await openGiven(options)
      for (const [title, renamed] of [['First', 'Second'], ['First'], [undefined, 'Second'], []]) {
        const source = await given.store.create({ cwd: '/source', ...(title !== undefined && { title }) })
        if (renamed !== undefined) await source.rename(renamed)
        for (const asked of ['First', 'Second', 'Mine']) {
          const fork = await given.store.fork(source, { how: 'whole', title: asked })
          expect(await namesOf(given.store, fork)).toEqual([asked, asked])
          expect((await (await given.reopen()).open(fork.id)).name).toBe(asked)
        }
        const same = await given.store.fork(source, { how: 'whole' })
        expect(await namesOf(given.store, same)).toEqual([source.name, source.name])
      }
    })

    test.each(['path', 'subtree'] as const)('a fork (%s) says its name to tools that read no title', async (how) => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      expect(await namesIn(await given.store.fork(source, { how }))).toEqual(['The source'])
      await source.rename('Another name')
      expect(await namesIn(await given.store.fork(source, { how }))).toEqual(['Another name'])
      const unnamed = await given.store.create()
      await converse(unnamed, 'q1')
      expect(await namesIn(await given.store.fork(unnamed, { how, title: ' ' }))).toEqual([])
    })

    test('G4 the line of a forked path equals the line of the source, with muted, moved and copied nodes', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      expect(trunkOf(source)).toEqual(TRUNK)
      const fork = await given.store.fork(source)
      expect(trunkOf(fork)).toEqual(TRUNK)
      expect(fork.leafId).toBe('a4')
      expect(await fork.line()).toEqual(await source.line())
      const other = await (await given.reopen()).open(fork.id)
      expect(await other.line()).toEqual(await source.line())
      expect(trunkOf(other)).toEqual(TRUNK)
      expect(other.report()).toMatchObject({ skipped: [], notes: [], problems: [], unreadable: [] })
    })

    test('a forked path takes over the labels, ratings and settings that are about it, and nothing else', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const fork = await given.store.fork(source)
      const look = lookAt(fork.tree)
      expect(Object.keys(look.nodes).sort()).toEqual([...TRUNK].sort())
      expect(look.roots).toEqual(['q1'])
      expect(look.labels).toEqual({ q3: 'here', a4: 'and here' })
      // As entries of their own, which is what other tools know a label by; all else is one edit.
      const asides = (await entriesOf(fork)).filter(({ type }) => type === 'label' || type === 'custom')
      expect(asides.map(({ type, targetId }) => targetId ?? type)).toEqual(['custom', 'q3', 'a4'])
      expect(fork.tree.edits.meta.get(fork.tree.ids.find('a3'))).toEqual(
        new Map<string, unknown>([
          ['rating', 4],
          ['pinned', true],
        ]),
      )
      expect(fork.config).toEqual(source.config)
      expect(await fork.readEntry('m1')).toMatchObject({ type: 'model_change', parentId: 'a1' })
      expect(await fork.readEntry('x1')).toBeUndefined()
    })

    test('a path can be forked at any node; at null the fork is empty', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      for (const nodeId of ['q1', 'a1', 'm1', 'x1', 'a2', 'k1', 'k2', 'r3']) {
        const fork = await given.store.fork(source, { nodeId })
        expect(fork.leafId, nodeId).toBe(nodeId)
        expect(await fork.line(), nodeId).toEqual(await source.line({ leafId: nodeId }))
      }
      const empty = await given.store.fork(source, { nodeId: null })
      expect(await trunkOf(empty)).toEqual([])
      expect(empty.leafId).toBeNull()
      await expect(given.store.fork(source, { nodeId: 'nobody' })).rejects.toMatchObject({ code: 'node_not_found' })
    })

    test('a forked subtree has the same shape below its top, which is a root', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const fork = await given.store.fork(source, { how: 'subtree', nodeId: 'q3' })
      const [from, to] = [lookAt(source.tree), lookAt(fork.tree)]
      expect(to.roots).toEqual(['q3'])
      const below = ['q3', 'a3', 'x1', 'q2', 'a2', 'k1', 'k2', 'q4', 'a4']
      expect(Object.keys(to.nodes).sort()).toEqual([...below].sort())
      for (const id of below) {
        const { parent } = from.nodes[id]!
        expect(to.nodes[id]!.parent, id).toBe(id === 'q3' ? null : parent)
        expect(to.nodes[id]!.muted, id).toBe(from.nodes[id]!.muted)
        expect([...to.nodes[id]!.children].sort(), id).toEqual([...from.nodes[id]!.children].sort())
      }
      expect(to.labels).toEqual({ q3: 'here', a4: 'and here', x1: 'not on the path' })
      const other = await (await given.reopen()).open(fork.id)
      expect(lookAt(other.tree)).toEqual(to)
    })

    test('a whole fork has every line, every branch, the stash and the undo history', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      await source.edit({ operations: [{ op: 'prune', nodeId: 'q4' }] })
      const fork = await given.store.fork(source, { how: 'whole' })
      expect(lookAt(fork.tree)).toEqual(lookAt(source.tree))
      expect(await entriesOf(fork)).toEqual(await entriesOf(source))
      expect(fork.leafId).toBe(source.leafId)
      expect(await fork.line()).toEqual(await source.line())
      await fork.undo()
      expect(lookAt(fork.tree).fragments).toEqual({})
      expect(lookAt(source.tree).fragments).toEqual({ a4: ['q4', 0] })
    })

    test('a fork is independent: what is done in one is not seen in the other', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const before = await idsOf(source)
      const fork = await given.store.fork(source)
      await converse(fork, 'f1', 'f2')
      await fork.edit({ operations: [{ op: 'unmute', nodeIds: ['a1'] }] })
      await source.refresh()
      expect(await idsOf(source)).toEqual(before)
      expect(lookAt(source.tree).nodes.a1!.muted).toBe(true)
    })

    test('a fork can be forked, and undo in it does not reach behind the fork', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const fork = await given.store.fork(source)
      await expect(fork.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
      const again = await given.store.fork(fork)
      expect(again.header.parentSession).toBe(fork.id)
      expect(await again.line()).toEqual(await source.line())
    })

    test('S24 a compaction keeps in the fork what it kept in the source, also when it was copied', async () => {
      await using given = await openGiven(options)
      const source = await given.store.create()
      await converse(source, 'q1', 'a1', 'q2', 'a2')
      await source.append({ type: 'compaction', id: 'c1', summary: 'So far', firstKeptEntryId: 'q2', tokensBefore: 9 })
      await converse(source, 'q3', 'a3')
      expect(await (await given.store.fork(source)).line()).toEqual(await source.line())
      const idMap = { q1: 'k1', a1: 'k2', q2: 'k3', a2: 'k4', c1: 'kc', q3: 'k5', a3: 'k6' }
      await source.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: null, mode: 'copy', idMap }] })
      await source.branch('k6')
      const line = await source.line()
      expect(line.nodes.filter((node) => node.in).map(({ nodeId }) => nodeId)).toEqual(['k3', 'k4', 'kc', 'k5', 'k6'])
      expect(await (await given.store.fork(source)).line()).toEqual(line)
    })

    test('S32 images and long texts are there in the fork', async () => {
      await using given = await openGiven(options)
      const source = await given.store.create()
      const data = Buffer.alloc(3000, 3).toString('base64')
      const content = [{ type: 'image', data, mimeType: 'image/png' }]
      await source.append({ type: 'message', id: 'e1', message: { role: 'user', content, timestamp: 1 } })
      await source.append(user('x'.repeat(600_000), 'e2'))
      const fork = await given.store.fork(source)
      expect(await fork.readFull('e1')).toMatchObject({ entry: { message: { content } }, unresolved: [] })
      expect(((await fork.readFull('e2'))!.entry.message as { content: string }).content).toHaveLength(600_000)
    })

    test('S32 a session that another store holds is forked with its images and long texts', async () => {
      await using elsewhere = await openGiven(options)
      await using given = await openGiven(options)
      const source = await makeEdited(elsewhere.store)
      const data = Buffer.alloc(3000, 3).toString('base64')
      const content = [{ type: 'image', data, mimeType: 'image/png' }]
      await source.append({ type: 'message', id: 'e1', message: { role: 'user', content, timestamp: 1 } })
      await source.append(user('x'.repeat(600_000), 'e2'))
      const told: TreelineError[] = []
      for (const how of ['path', 'whole'] as const) {
        const fork = await given.store.fork(source, { how, onLeftOut: (problem) => told.push(problem) })
        const opened = await (await given.reopen()).open(fork.id)
        expect(await opened.line()).toEqual(await source.line())
        expect(await opened.readFull('e1')).toMatchObject({ entry: { message: { content } }, unresolved: [] })
        expect(((await opened.readFull('e2'))!.entry.message as { content: string }).content).toHaveLength(600_000)
      }
      expect(told).toEqual([])
      await source.close()
      await expect(given.store.fork(source)).rejects.toMatchObject({ code: 'bad_request' })
    })

    test('I3 a blob that the other store has not is told of once, and its place stays as it is', async () => {
      await using elsewhere = await openGiven(options)
      await using given = await openGiven(options)
      const [here, nowhere, quoted] = ['1', '2', '3'].map((digit) => `blob:sha256:${digit.repeat(64)}`)
      const kept = await given.store.putBlob(Buffer.from('kept'))
      const source = await elsewhere.store.create()
      for (const ref of [nowhere, kept, nowhere]) {
        const content = [{ type: 'image', data: ref, mimeType: 'image/png' }]
        await source.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } })
      }
      await source.append(user(`I read about ${quoted} and ${here}x`))
      const told: TreelineError[] = []
      const fork = await given.store.fork(source, { onLeftOut: (problem) => told.push(problem) })
      expect(told.map(({ code, message }) => [code, message.includes(nowhere!)])).toEqual([['damaged', true]])
      expect(await entriesOf(fork)).toEqual(await entriesOf(source))
      expect(await fork.readFull((await idsOf(fork))[1]!)).toMatchObject({ unresolved: [] })
    })

    test('a fork may keep the time and the lineage of what it was made from', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const kept = { createdAt: '2020-02-03T04:05:06.789Z', parentSession: '/their/file' }
      const fork = await given.store.fork(source, kept)
      expect(fork.header).toMatchObject({ timestamp: kept.createdAt, parentSession: kept.parentSession })
    })

    test('a fork of what a path leads to is the same as a fork of the open session', async () => {
      await using given = await openGiven(options)
      const source = await makeEdited(given.store)
      const other = await given.reopen()
      const fork = await other.forkFrom(source.path, { cwd: '/other' })
      expect(fork.header).toMatchObject({ cwd: '/other', parentSession: source.id })
      expect(await fork.line()).toEqual(await source.line())
      await fork.append(user('goes on', 'mine'))
      await expect(other.forkFrom(`${source.path}.not`)).rejects.toMatchObject({ code: 'session_not_found' })
    })

    test('an edit that cannot be said again is left out and told of; the rest is taken over', async () => {
      await using given = await openGiven(options)
      const source = await given.store.create()
      await converse(source, 'q1', 'a1')
      await source.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }] })
      const ops = [
        { op: 'meta', nodeId: 'q1', patch: { rating: 3, fromTheFuture: 1 } },
        { op: 'config', patch: { approvalMode: 'yolo', alsoUnheardOf: true } },
      ]
      await source.append({ type: 'custom', customType: 'treeline/edit', data: { ops, inverse: [] } })
      expect(source.config).toMatchObject({ approvalMode: 'yolo', alsoUnheardOf: true })
      const told: TreelineError[] = []
      const fork = await given.store.fork(source, { onLeftOut: (problem) => told.push(problem) })
      expect(told.map(({ code, message }) => [code, /fromTheFuture|alsoUnheardOf/.exec(message)?.[0]])).toEqual([
        ['validation_failed', 'fromTheFuture'],
        ['validation_failed', 'alsoUnheardOf'],
      ])
      expect(fork.tree.edits.meta.get(fork.tree.ids.find('q1'))).toEqual(new Map([['rating', 3]]))
      expect(fork.config.approvalMode).toBe('yolo')
      expect(lookAt(fork.tree).nodes.a1!.muted).toBe(true)
    })

    test('S24 compactions keep the same in the fork after what they name was deleted or moved', async () => {
      await using given = await openGiven(options)
      const source = await given.store.create()
      await converse(source, 'q1', 'a1', 'q2', 'a2', 'q3', 'a3')
      await source.append({ type: 'compaction', id: 'c1', summary: '1', firstKeptEntryId: 'q2', tokensBefore: 9 })
      await converse(source, 'q4', 'a4')
      await source.append({ type: 'compaction', id: 'c2', summary: '2', firstKeptEntryId: 'a3', tokensBefore: 9 })
      await converse(source, 'q5', 'a5')
      await source.append({ type: 'compaction', id: 'c3', summary: '3', firstKeptEntryId: 'nobody', tokensBefore: 9 })
      await source.edit({ operations: [{ op: 'delete', nodeIds: ['q2', 'a3'], how: 'splice' }] })
      await source.edit({ operations: [{ op: 'graft', sourceId: 'q3', targetId: 'q1' }] })
      for (const nodeId of ['c1', 'a4', 'c2', 'a5', 'c3']) {
        for (const how of ['path', 'subtree'] as const) {
          const fork = await given.store.fork(source, { how, nodeId: how === 'path' ? nodeId : 'q1' })
          expect(await fork.line({ leafId: nodeId }), `${how} ${nodeId}`).toEqual(await source.line({ leafId: nodeId }))
        }
      }
    })

    test('a fork while others write is the source as of the call', async () => {
      await using given = await openGiven(options)
      const source = await given.store.create()
      await source.appendAll(Array.from({ length: 200 }, (_, i) => user(`${i}`, `e${i}`)))
      const [fork] = await Promise.all([given.store.fork(source), converse(source, 'late1', 'late2')])
      expect(await idsOf(fork)).toEqual(Array.from({ length: 200 }, (_, i) => `e${i}`))
    })
  })
}

/** As who has it open sees it, and as the list does. */
async function namesOf(store: SessionStore, { id, name }: Session): Promise<unknown[]> {
  const listed = await store.list({ cwd: '/source' })
  return [name, listed.find((one) => one.id === id)?.name]
}

async function namesIn(session: Session): Promise<unknown[]> {
  const names: unknown[] = []
  for await (const { type, name } of session.entries()) if (type === 'session_info') names.push(name)
  return names
}
