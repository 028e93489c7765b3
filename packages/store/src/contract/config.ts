import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { idsOf } from './look.ts'
import { converse } from './say.ts'

export function configContract(options: ContractOptions): void {
  describe('config and name', () => {
    test('N28 a new session has the defaults', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      expect(session.config).toEqual({
        approvalMode: 'default',
        approvalTools: [],
        pastedTextMap: {},
        pastedImageMap: {},
      })
    })

    test('X4 the last change of a key wins, other keys stay, null removes', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'], summary: 's', model: 'test/m' })
      await session.setConfig({ approvalMode: 'autoEdit', summary: null })
      const expected = {
        approvalMode: 'autoEdit',
        approvalTools: ['bash'],
        model: 'test/m',
        pastedTextMap: {},
        pastedImageMap: {},
      }
      expect(session.config).toEqual(expected)
      expect((await (await given.reopen()).open(session.id)).config).toEqual(expected)
    })

    test('X4 a session has a system prompt of its own; what is no text is refused, and in a log passed over', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.setConfig({ systemPrompt: 'Be brief.\n\u0000' })
      const other = await (await given.reopen()).open(session.id)
      expect(other.config.systemPrompt).toBe('Be brief.\n\u0000')
      await expect(session.setConfig({ systemPrompt: ['x'] })).rejects.toMatchObject({ code: 'validation_failed' })
      const ops = [{ op: 'config', patch: { systemPrompt: { role: 'x' }, summary: 7, model: [], thinkingLevel: true } }]
      await session.append({ type: 'custom', customType: 'treeline/edit', data: { ops, inverse: [] } })
      const { systemPrompt, summary, model, thinkingLevel } = session.config
      expect([systemPrompt, summary, model, thinkingLevel]).toEqual([undefined, undefined, undefined, undefined])
    })

    test('C1 changes that build on what is set are all kept, whoever makes them at once', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const other = await (await given.reopen()).open(session.id)
      const add = (to: typeof session, name: string) =>
        to.updateConfig(({ approvalTools }) => ({ approvalTools: [...approvalTools, name] }))
      const names = Array.from({ length: 20 }, (_, i) => `t${i}`)
      await Promise.all(names.map((name, i) => add(i % 2 === 0 ? session : other, name)))
      const again = await (await given.reopen()).open(session.id)
      expect(again.config.approvalTools.toSorted()).toEqual(names.toSorted())
      const { seq } = again
      await again.updateConfig(() => ({}))
      expect(again.seq).toBe(seq)
    })

    test('X5 what one session is given is not shared with another, nor with the session itself', async () => {
      await using given = await openGiven(options)
      const [one, two] = [await given.store.create(), await given.store.create()]
      one.config.approvalTools.push('bash')
      one.config.pastedTextMap.x = 'y'
      expect(two.config).toEqual({ approvalMode: 'default', approvalTools: [], pastedTextMap: {}, pastedImageMap: {} })
      expect(one.config.approvalTools).toEqual([])
      const approvalTools = ['edit']
      await one.setConfig({ approvalTools })
      approvalTools.push('bash')
      one.config.approvalTools.push('rm')
      expect(one.config.approvalTools).toEqual(['edit'])
      expect((await (await given.reopen()).open(one.id)).config.approvalTools).toEqual(['edit'])
    })

    test('N31, X3 a config change is appended: what others append meanwhile stays', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      const two = await (await given.reopen()).open(one.id)
      await Promise.all([
        converse(two, 'q1', 'a1', 'q2'),
        one.setConfig({ approvalMode: 'yolo' }),
        one.setConfig({ approvalMode: 'autoEdit' }),
      ])
      const third = await (await given.reopen()).open(one.id)
      expect(third.config.approvalMode).toBe('autoEdit')
      expect((await idsOf(third)).filter((id) => /^[qa]\d$/.test(id))).toEqual(['q1', 'a1', 'q2'])
    })

    test('a session is renamed by an appended line; null clears the name, undo brings back the one before', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create({ title: 'First' })
      await converse(session, 'q1')
      await session.rename('Second')
      await session.rename('  Third  ')
      expect(session.name).toBe('Third')
      const other = await (await given.reopen()).open(session.id)
      expect(other.name).toBe('Third')
      expect(other.header.title).toBe('First')
      await other.rename(null)
      expect(other.name).toBeUndefined()
      const again = await given.reopen()
      expect((await again.open(session.id)).name).toBeUndefined()
      expect((await again.list())[0]!.name).toBeUndefined()
      for (const name of ['Third', 'Second', 'First']) {
        await other.undo()
        expect(other.name).toBe(name)
        const store = await given.reopen()
        expect((await store.open(session.id)).name).toBe(name)
        expect(await store.list()).toMatchObject([{ name }])
      }
    })
  })
}
