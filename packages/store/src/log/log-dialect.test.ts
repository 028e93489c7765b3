import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { header, makeTempHome, message, toText } from '../testing/temp-home.ts'
import { encodeSlot, makeSlot } from './title-slot.ts'

const UUID = '0198aaaa-0000-7000-8000-000000000001'
const slot = Buffer.from(encodeSlot(makeSlot('Theirs', ''))).toString()
const entry = (type: string) => ({ type, id: 'x1', parentId: null, timestamp: '' })
const filler = Array.from({ length: 800 }, (_, i) => message('x'.repeat(400), `e${i}`, i === 0 ? 'x1' : `e${i - 1}`))

test.each([
  ['pi', [header(UUID), entry('context_edit')]],
  ['pi', [header(UUID), entry('thinking_level_change')]],
  ['xcsh', [header(UUID), entry('mode_change')]],
  ['xcsh', [header('147214bd6601be05'), entry('thinking_level_change')]],
  ['omp', [slot, header(UUID), entry('thinking_level_change')]],
  ['omp', [header(UUID), entry('reset_boundary')]],
])('I6 %s is told by a cold and by a warm opening', async (dialect, lines) => {
  using temp = makeTempHome()
  const path = join(temp.outside, 'theirs.jsonl')
  writeFileSync(path, toText([...lines, ...filler]))
  for (let opening = 0; opening < 2; opening++) {
    await using store = await openFileStore(temp)
    await using session = await store.openPath(path)
    expect(session.dialect).toBe(dialect)
  }
  expect(readdirSync(join(temp.home, 'index')).filter((name) => name.endsWith('.cols'))).toHaveLength(1)
})

test('I6 a log of ours is ours, cold and warm, whatever is in it', async () => {
  using temp = makeTempHome()
  const entries = [...(filler as never[])]
  let id: string
  {
    await using store = await openFileStore(temp)
    await using session = await store.create({ entries: [{ ...entry('mode_change') }, ...entries] })
    id = session.id
    expect(session.dialect).toBe('treeline')
  }
  for (let opening = 0; opening < 2; opening++) {
    await using store = await openFileStore(temp)
    await using session = await store.open(id)
    expect(session.dialect).toBe('treeline')
  }
  expect(readdirSync(join(temp.home, 'index')).filter((name) => name.endsWith('.cols'))).toHaveLength(1)
})
