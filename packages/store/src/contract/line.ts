import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { wordsOf } from './look.ts'
import { assistant, converse, model, user } from './say.ts'

export function lineContract(options: ContractOptions): void {
  describe('line and context', () => {
    test('G4 the line is the trunk without what is muted, and says why; the same in every store', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      await session.branch('a1')
      await converse(session, 'q3', 'a3')
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['q1', 'a1'] }] })
      const line = await session.line()
      expect(wordsOf(line)).toEqual(['user: says q3', 'assistant: says a3'])
      expect(line.nodes).toEqual([
        { nodeId: 'q1', in: false, reason: 'muted' },
        { nodeId: 'a1', in: false, reason: 'muted' },
        { nodeId: 'q3', in: true },
        { nodeId: 'a3', in: true },
      ])
      const other = await (await given.reopen()).open(session.id)
      expect(JSON.stringify(await other.line())).toBe(JSON.stringify(line))
      expect(wordsOf(await other.line({ leafId: 'a2' }))).toEqual(['user: says q2', 'assistant: says a2'])
      expect((await other.line({ leafId: null })).messages).toEqual([])
      expect(wordsOf(await other.line({ mute: new Set(['a3']) }))).toEqual(['user: says q3'])
      const asked = await other.line({ leafId: 'q2', unmute: new Set(['q1', 'a1']) })
      expect(wordsOf(asked)).toEqual(['user: says q1', 'assistant: says a1', 'user: says q2'])
      await expect(other.line({ leafId: 'nobody' })).rejects.toMatchObject({ code: 'node_not_found' })
    })

    test('S24 with a compaction on the path the line is its summary, what it keeps and what follows', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      await session.append({
        type: 'compaction',
        id: 'c1',
        summary: 'What happened',
        firstKeptEntryId: 'q2',
        tokensBefore: 100,
      })
      await converse(session, 'q3')
      const line = await (await (await given.reopen()).open(session.id)).line()
      expect(line.messages[0]).toMatchObject({ role: 'user', nodeIds: ['c1', 'q2'] })
      expect(JSON.stringify(line.messages[0])).toContain('What happened')
      expect(wordsOf(line).slice(1)).toEqual(['assistant: says a2', 'user: says q3'])
      expect(line.nodes.filter((node) => !node.in)).toMatchObject([
        { nodeId: 'q1', reason: 'compacted' },
        { nodeId: 'a1', reason: 'compacted' },
      ])
    })

    test('S22, S23 the context is the stored path, edits or not, with the state along it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(model('big', 'm1'))
      await session.append({ type: 'thinking_level_change', thinkingLevel: 'high' })
      await session.append(assistant('yes', 'a1'))
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['q1'] }] })
      const other = await (await given.reopen()).open(session.id)
      const context = await other.context()
      expect(context.messages).toMatchObject([{ role: 'user', content: 'says q1' }, { role: 'assistant' }])
      expect(context).toMatchObject({ thinkingLevel: 'high', models: { default: 'test/big' } })
      expect((await other.context({ leafId: null })).messages).toEqual([])
      expect((await other.context({ leafId: 'q1' })).messages).toHaveLength(1)
    })

    test('G4 a line of a thousand entries is the same read cold, from the cache, and by another store', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.appendAll(
        Array.from({ length: 500 }, (_, i) => [user(`${i} ${'é'.repeat(i)}`), assistant(`${i}!`)]).flat(),
      )
      const first = JSON.stringify(await session.line())
      expect(JSON.stringify(await session.line())).toBe(first)
      const other = await (await given.reopen()).open(session.id)
      expect(JSON.stringify(await other.line())).toBe(first)
    })
  })
}
