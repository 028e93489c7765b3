import { expect, test } from 'vitest'
import { converse } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { makeTempHome } from '../testing/temp-home.ts'

test('G3 an edit counts as its line says it, whatever becomes of the objects it was asked with', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const session = await store.create({ cwd: '/work' })
  await converse(session, 'one', 'two')
  const patch = { approvalTools: ['a', 'é\ud800'] }
  await session.setConfig(patch)
  patch.approvalTools.push('b')
  await session.undo()
  await session.redo()
  const { config, seq } = session
  expect(config).toMatchObject({ approvalTools: ['a', 'é\ud800'] })
  await session.close()
  await using again = await store.open(session.id)
  expect(again.config).toEqual(config)
  expect(again.seq).toBe(seq)
  expect(again.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
})
