import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdSyncs } from '../testing/held-syncs.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { FileSyncs } from './file-syncs.ts'
import { LineBuffer } from './line-buffer.ts'

function open(home: string) {
  const holding = holdSyncs()
  holding.storage.ensureDirSync(home)
  const file = holding.storage.openWriter(`${home}/a.jsonl`, { flags: 'a' })
  holding.isHeld = true
  const syncs = new FileSyncs()
  let size = 0
  const write = (text: string): void => {
    const lines = new LineBuffer()
    lines.addBytes(Buffer.from(text))
    syncs.keep(lines, size)
    size += text.length
  }
  const sync = (end: number): Promise<void> => syncs.sync(end, file)
  const fail = (): void => syncs.fail(file, new Error('EIO'))
  const owed = (): string[] => syncs.debt.lines.map((bytes) => Buffer.from(bytes).toString())
  return { held: holding.held, syncs, sync, fail, owed, write, [Symbol.dispose]: () => file.closeSync() }
}

const told = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'durable',
    () => 'lost',
  )

test('D1 only a sync that began after the write makes it durable; all that was written meanwhile is covered by the next', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  const first = told(file.sync(10))
  const second = told(file.sync(20))
  const third = told(file.sync(30))
  expect(file.held).toHaveLength(1)
  file.held[0]!.resolve()
  expect(await first).toBe('durable')
  expect(file.syncs.isDurable(10)).toBe(true)
  expect(file.syncs.isDurable(20)).toBe(false)
  expect(file.held).toHaveLength(2)
  file.held[1]!.resolve()
  expect([await second, await third]).toEqual(['durable', 'durable'])
  await file.sync(30)
  expect(file.held).toHaveLength(2)
})

test('D5 a sync fails while more was written behind it: all of it is owed, in its order', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  file.write('one')
  const first = told(file.sync(3))
  file.write('two')
  const second = told(file.sync(6))
  file.write('three')
  file.held[0]!.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
  expect([await first, await second]).toEqual(['lost', 'lost'])
  expect(file.owed()).toEqual(['one', 'two', 'three'])
  expect([file.syncs.failures, file.held.length]).toEqual([1, 1])
})

test('D5 what a sync has covered is not written again when a later one fails', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  file.write('one')
  const first = file.sync(3)
  file.write('two')
  const second = told(file.sync(6))
  file.held[0]!.resolve()
  await first
  file.held[1]!.reject(new Error('EIO'))
  expect(await second).toBe('lost')
  expect(file.owed()).toEqual(['two'])
})

test('D1 a sync that began before the log was read anew counts for nothing in it, and the next one waits for it', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  const before = told(file.sync(100))
  file.syncs.forget()
  const after = told(file.sync(50))
  await setImmediate()
  expect(file.held).toHaveLength(1)
  file.held[0]!.resolve()
  expect(await before).toBe('durable')
  expect(file.syncs.isDurable(50)).toBe(false)
  expect(file.held).toHaveLength(2)
  file.held[1]!.resolve()
  expect(await after).toBe('durable')
})

test('D5 after a sync that failed beside it, no other begins before the one under way has ended', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  file.write('one')
  const first = told(file.sync(3))
  file.fail()
  expect([await first, file.owed()]).toEqual(['lost', ['one']])
  file.syncs.debt.clear()
  file.write('one')
  const again = told(file.sync(6))
  expect(file.held).toHaveLength(1)
  // The system tells only the first of what either lost.
  file.held[0]!.reject(new Error('EIO'))
  expect([await again, file.owed(), file.held.length]).toEqual(['lost', ['one'], 1])
})

test('D5 the one under way ends well: it counts for nothing, and the next begins', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  file.write('one')
  file.sync(3).catch(() => {})
  file.fail()
  file.syncs.debt.clear()
  file.write('one')
  const again = told(file.sync(6))
  file.held[0]!.resolve()
  await setImmediate()
  expect([file.syncs.isDurable(3), file.held.length]).toEqual([false, 2])
  file.held[1]!.resolve()
  expect([await again, file.syncs.isDurable(6)]).toEqual(['durable', true])
})

test('D1 what was synced beyond where a line is written was cut off since, and does not count', async () => {
  using temp = makeTempHome()
  using file = open(temp.home)
  const before = told(file.sync(100))
  file.held[0]!.resolve()
  expect([await before, file.syncs.isDurable(100)]).toEqual(['durable', true])
  file.write('one')
  expect(file.syncs.isDurable(3)).toBe(false)
})
