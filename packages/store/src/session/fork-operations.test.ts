import { expect, test } from 'vitest'
import { trunkOf } from '../contract/look.ts'
import { openFileStore } from '../file-store.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'
import type { Session } from './session.ts'

test('a label on an entry whose id holds half a character is in every fork of it', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const label = { type: 'label', id: 'l', parentId: '\ud800', timestamp: '', targetId: '\ud800', label: 'here' }
  await using source = await store.openPath(temp.plant('odd', header('odd'), message('q', '\ud800'), label))
  const labelsOf = ({ tree }: Session) => [...tree.edits.labels].map(([id, said]) => [id, said.label])
  for (const how of ['path', 'subtree', 'whole'] as const) {
    const told: unknown[] = []
    const onLeftOut = (problem: unknown) => told.push(problem)
    const fork = await store.fork(source, { how, nodeId: trunkOf(source)[0]!, onLeftOut })
    expect([how, told, labelsOf(fork)]).toEqual([how, [], [['\ufffd', 'here']]])
  }
})
