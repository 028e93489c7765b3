import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, lookAt, trunkOf } from './look.ts'
import { assistant, converse, user } from './say.ts'

export function editsContract(options: ContractOptions): void {
  describe('edits', () => {
    test('D4 an edit request of many operations is one line', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const { seq } = session
      const plan = await session.edit({
        operations: [
          { op: 'mute', nodeIds: ['q1', 'a1'] },
          { op: 'prune', nodeId: 'q2', include: 'self' },
          { op: 'label', nodeId: 'a2', label: 'cut' },
          { op: 'config', patch: { summary: 'x' } },
        ],
      })
      expect(session.seq).toBe(seq + 1)
      expect(plan).toMatchObject({ leafId: 'a1', leafMoved: true })
      expect(session.leafId).toBe('a1')
      const look = lookAt(session.tree)
      expect(look.fragments).toEqual({ q2: ['a1', 0] })
      const other = await (await given.reopen()).open(session.id)
      expect(lookAt(other.tree)).toEqual(look)
      expect(other.leafId).toBe('a1')
    })

    test('D4 when one operation is refused none is done, and the error names it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const look = lookAt(session.tree)
      const { seq } = session
      const operations = [
        { op: 'mute', nodeIds: ['q1'] },
        { op: 'delete', nodeIds: ['a1'] },
        { op: 'graft', sourceId: 'q1', targetId: 'a1' },
      ] as const
      await expect(session.edit({ operations })).rejects.toMatchObject({
        code: 'node_not_found',
        details: { opIndex: 2 },
      })
      expect(lookAt(session.tree)).toEqual(look)
      expect(session.seq).toBe(seq)
      expect(lookAt((await (await given.reopen()).open(session.id)).tree)).toEqual(look)
    })

    test('G2 entries are immutable: edits add lines and change none', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const before = await entriesOf(session)
      await session.edit({ operations: [{ op: 'graft', sourceId: 'a2', targetId: 'q1' }] })
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['q2'] }] })
      const other = await (await given.reopen()).open(session.id)
      expect((await entriesOf(other)).slice(0, 4)).toEqual(before)
      expect(await other.readEntry('q2')).toMatchObject({ id: 'q2' })
    })

    test('G2 undo and redo work across restarts, step by step', async () => {
      await using given = await openGiven(options)
      const { id } = await given.store.create()
      const session = await given.store.open(id)
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const looks = [lookAt(session.tree)]
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }] })
      looks.push(lookAt(session.tree))
      await session.edit({ operations: [{ op: 'prune', nodeId: 'a1' }] })
      looks.push(lookAt(session.tree))
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q2', targetId: null }] })
      looks.push(lookAt(session.tree))
      await session.rename('renamed')
      looks.push(lookAt(session.tree))
      for (const look of looks.slice(0, -1).reverse()) {
        const other = await (await given.reopen()).open(id)
        await other.undo()
        expect(lookAt(other.tree)).toEqual(look)
      }
      const last = await (await given.reopen()).open(id)
      await expect(last.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
      for (const look of looks.slice(1)) {
        const other = await (await given.reopen()).open(id)
        await other.redo()
        expect(lookAt(other.tree)).toEqual(look)
      }
      await expect(session.redo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
      expect(session.name).toBe('renamed')
    })

    test('G2 undo brings the leaf back that the edit cut off', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['q2'] }] })
      expect(session.leafId).toBe('a1')
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBe('a1')
      await other.undo()
      expect(other.leafId).toBe('a2')
      expect((await (await given.reopen()).open(session.id)).leafId).toBe('a2')
    })

    test('G2 undo of a named edit is refused when what it changed was changed again, by whomever', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const first = await session.edit({ operations: [{ op: 'meta', nodeId: 'a1', patch: { rating: 1 } }] })
      const other = await (await given.reopen()).open(session.id)
      await other.edit({ operations: [{ op: 'meta', nodeId: 'a1', patch: { rating: 2 } }] })
      await expect(session.undo({ editId: first.entry!.id })).rejects.toMatchObject({ code: 'stale_node' })
      expect(session.tree.edits.meta.get(session.tree.ids.find('a1'))).toEqual(new Map([['rating', 2]]))
    })

    test("G2 undo takes the caller's own latest edit, not another's", async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['q1'] }], by: 'ann' })
      const other = await (await given.reopen()).open(session.id)
      await other.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }], by: 'bob' })
      await session.undo({ by: 'ann' })
      await other.refresh()
      const { nodes } = lookAt(other.tree)
      expect([nodes.q1!.muted, nodes.a1!.muted]).toEqual([false, true])
    })

    test('C2 baseVersion turns a lost race into stale_node; without it the edit goes through', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const other = await (await given.reopen()).open(session.id)
      const baseVersion = session.seq
      await other.edit({ operations: [{ op: 'meta', nodeId: 'a1', patch: { rating: 5 } }] })
      const operations = [{ op: 'delete', nodeIds: ['a1'] }] as const
      await expect(session.edit({ operations, baseVersion })).rejects.toMatchObject({
        code: 'stale_node',
        details: { nodeIds: ['a1'], conflicts: [{ nodeId: 'a1', version: baseVersion + 1 }] },
      })
      expect(lookAt(session.tree).deleted).toEqual([])
      await session.edit({ operations, baseVersion: session.seq })
      await other.refresh()
      expect(lookAt(other.tree).deleted).toEqual(['a1'])
    })

    test('an edit that changes nothing writes nothing', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const { seq } = session
      const plan = await session.edit({ operations: [{ op: 'unmute', nodeIds: ['q1'] }] })
      expect(plan.entry).toBeUndefined()
      await session.branch('q1')
      expect(session.seq).toBe(seq)
    })

    test('X43 a copied subtree has bodies of its own ids, and one goes on below it, also after a restart', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(user('apart', 'r2'), { parentId: null })
      const idMap = { q1: 'k1', a1: 'k2' }
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: 'r2', mode: 'copy', idMap }] })
      expect(await session.readEntries(['k1', 'k2'])).toMatchObject([
        { id: 'k1', message: { content: 'says q1' } },
        { id: 'k2', message: { role: 'assistant' } },
      ])
      await session.branch('k2')
      await session.append(user('below the copy', 'q3'))
      await session.append(assistant('answer', 'a3'))
      expect(trunkOf(session)).toEqual(['r2', 'k1', 'k2', 'q3', 'a3'])
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['r2', 'k1', 'k2', 'q3', 'a3'])
      expect(await other.readEntry('k2')).toEqual(await session.readEntry('k2'))
    })

    test('K4 keys of a patch are data, whatever they are called', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const patch = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}') as Record<string, unknown>
      await session.edit({ operations: [{ op: 'session', patch }] }).catch(() => {})
      await session.edit({ operations: [{ op: 'meta', nodeId: 'q1', patch }] }).catch(() => {})
      await session.setConfig(patch).catch(() => {})
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      const other = await (await given.reopen()).open(session.id)
      expect((other.config as { polluted?: unknown }).polluted).toBeUndefined()
    })
  })
}
