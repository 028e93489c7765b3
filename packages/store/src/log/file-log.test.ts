import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entriesOf, idsOf, trunkOf } from '../contract/look.ts'
import { converse, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'
import { watchStorage } from '../testing/watched-storage.ts'

describe('damage', () => {
  test('I2, I3 a damaged file opens read-only, shows every good entry and says where the damage is', async () => {
    using temp = makeTempHome()
    const lines = [
      header('it'),
      message('one', 'e1'),
      '{"type":"message" broken}\n',
      '42\n',
      message('two', 'e2', 'e1'),
    ]
    const path = temp.plant('it', ...lines)
    await using store = await openFileStore(temp)
    const session = await store.open('it')
    expect(await idsOf(session)).toEqual(['e1', 'e2'])
    expect(session.access).toEqual({ mode: 'read', reason: 'damaged' })
    const offset = readFileSync(path).indexOf('{"type":"message" broken')
    expect(session.report().skipped).toMatchObject([
      { reason: 'not_json', severity: 'damage', line: 3, offset, length: 25 },
      { reason: 'not_an_object', severity: 'damage', line: 4, offset: offset + 26, length: 2 },
    ])
    await expect(session.append(user('x'))).rejects.toMatchObject({
      code: 'session_locked',
      message: expect.stringMatching(new RegExp(`line 3.*byte ${offset}`)),
      details: { line: 3, offset },
    })
  })

  test('I5 with acceptDamage one goes on, and the damaged bytes stay where they are', async () => {
    using temp = makeTempHome()
    const path = temp.plant('it', header('it'), message('one', 'e1'), 'garbage\n', message('two', 'e2', 'e1'))
    const before = readFileSync(path, 'utf8')
    await using store = await openFileStore(temp)
    const session = await store.open('it', { acceptDamage: true })
    await session.append(user('three', 'e3'))
    expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true)
    expect(trunkOf(session)).toEqual(['e1', 'e2', 'e3'])
    expect(trunkOf(await store.fork(session))).toEqual(['e1', 'e2', 'e3'])
  })

  test('I2 a body that turns out damaged when it is read is undefined and reported with line and byte', async () => {
    using temp = makeTempHome()
    const bad = `${JSON.stringify(message('two', 'e2', 'e1')).replace('"user"', '"us\u0001er"')}\n`
    const path = temp.plant('it', header('it'), message('one', 'e1'), bad, message('three', 'e3', 'e2'))
    await using store = await openFileStore(temp)
    const session = await store.open('it', { acceptDamage: true })
    expect((await entriesOf(session)).map(({ id }) => id)).toEqual(['e1', 'e3'])
    const offset = readFileSync(path).indexOf(bad)
    const { skipped, unreadable } = session.report()
    const where = [...skipped, ...unreadable.map(({ details }) => details)]
    expect(where).toMatchObject([{ line: 3, offset }])
    expect(trunkOf(session).at(-1)).toBe('e3')
  })

  test('I1 a line another tool has touched is a note, not damage, and is read', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await session.append(user('first words', 'e1'))
    await session.append(user('second', 'e2'))
    await session.close()
    writeFileSync(session.path, readFileSync(session.path, 'utf8').replace('first words', 'other words'))
    const again = await store.open(session.id)
    expect(await again.readEntry('e1')).toMatchObject({ message: { content: 'other words' } })
    expect(again.access).toEqual({ mode: 'write' })
    await again.append(user('third', 'e3'))
    expect(trunkOf(again)).toEqual(['e1', 'e2', 'e3'])
  })
})

describe('torn tails', () => {
  const whole = JSON.stringify(message('two', 'e2', 'e1'))

  test.each([
    ['cut in the head', whole.slice(0, 12)],
    ['cut in the body', whole.slice(0, -20)],
    ['cut before the last brace', whole.slice(0, -1)],
    ['filled with NULs', `${whole.slice(0, 40)}${'\0'.repeat(100)}`],
    ['NULs only', '\0'.repeat(300)],
    ['a single brace', '{'],
  ])('X1 %s: the next append starts on a new line and nothing is lost', async (_name, tail) => {
    using temp = makeTempHome()
    const path = temp.plant('it', header('it'), message('one', 'e1'), tail)
    const before = readFileSync(path, 'utf8')
    await using store = await openFileStore(temp)
    const session = await store.open('it')
    expect(session.access).toEqual({ mode: 'write' })
    expect(session.report().tornAt).toBe(Buffer.byteLength(before) - Buffer.byteLength(tail))
    expect(await session.append(user('three', 'e3'))).toMatchObject({ parentId: 'e1' })
    await session.append(user('four', 'e4'))
    expect(readFileSync(path, 'utf8').startsWith(`${before}\n{"type":"message","id":"e3"`)).toBe(true)
    await using other = await openFileStore(temp)
    const again = await other.open('it')
    expect(trunkOf(again)).toEqual(['e1', 'e3', 'e4'])
    expect(again.access, 'a torn line in the middle is an old crash, not a reason to stop').toEqual({ mode: 'write' })
    await entriesOf(again)
    const { skipped, unreadable } = again.report()
    const damage = [...skipped.filter(({ severity }) => severity === 'damage'), ...unreadable.map((e) => e.details)]
    expect(damage).toMatchObject([{ line: 3 }])
    await again.append(user('five', 'e5'))
    expect(trunkOf(again)).toEqual(['e1', 'e3', 'e4', 'e5'])
  })

  test('X1 a last line that lacks only its line end is an entry, and the next one starts on a new line', async () => {
    using temp = makeTempHome()
    const path = temp.plant('it', header('it'), message('one', 'e1'), whole)
    const before = readFileSync(path, 'utf8')
    await using store = await openFileStore(temp)
    const session = await store.open('it')
    expect(session.leafId).toBe('e2')
    await session.append(user('three', 'e3'))
    expect(readFileSync(path, 'utf8').startsWith(`${before}\n{`)).toBe(true)
    await using other = await openFileStore(temp)
    expect(trunkOf(await other.open('it'))).toEqual(['e1', 'e2', 'e3'])
    expect((await other.open('it')).report().skipped).toEqual([])
  })

  test('X1 a header without a line end is a header', async () => {
    using temp = makeTempHome()
    temp.plant('it', JSON.stringify(header('it')))
    await using store = await openFileStore(temp)
    const session = await store.open('it')
    await session.append(user('one', 'e1'))
    await using other = await openFileStore(temp)
    expect(trunkOf(await other.open('it'))).toEqual(['e1'])
  })

  test('C1 a line that another writer is still writing is taken in once it is whole', async () => {
    using temp = makeTempHome()
    const path = temp.plant('it', header('it'), message('one', 'e1'))
    await using store = await openFileStore(temp)
    const session = await store.open('it')
    const line = `${whole}\n`
    for (let cut = 0; cut < line.length; cut += 7) {
      writeFileSync(path, line.slice(cut, cut + 7), { flag: 'a' })
      await session.refresh()
      expect((await idsOf(session)).length).toBe(cut + 7 >= whole.length ? 2 : 1)
    }
    expect(await session.readEntry('e2')).toMatchObject({ parentId: 'e1' })
    expect(session.report()).toMatchObject({ skipped: [], tornAt: undefined })
  })
})

describe('a file changed underneath', () => {
  test('one that was replaced is read anew, followers are told, and appends go to the new one', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1', 'a1', 'q2')
    const { epoch, path } = session
    const followed = session.follow()
    const next = followed.next()
    const text = readFileSync(path, 'utf8').split('\n').slice(0, 3).join('\n')
    writeFileSync(`${path}.new`, `${text}\n${JSON.stringify(message('theirs', 'x1', 'a1'))}\n`)
    renameSync(`${path}.new`, path)
    await session.refresh()
    expect(await next).toMatchObject({ value: { type: 'reset', epoch: session.epoch } })
    expect(session.epoch).not.toBe(epoch)
    expect(await idsOf(session)).toEqual(['q1', 'a1', 'x1'])
    const entry = await session.append(user('goes on', 'q3'))
    expect(['a1', 'x1']).toContain(entry.parentId)
    expect(readFileSync(path, 'utf8')).toContain('"q3"')
    await followed.return(undefined)
  })

  test('one replaced between two appends, unnoticed until then, loses nothing of the second', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1', 'a1')
    copyFileSync(session.path, `${session.path}.copy`)
    renameSync(`${session.path}.copy`, session.path)
    expect(await session.append(user('next', 'q2'))).toMatchObject({ parentId: 'a1' })
    await using other = await openFileStore(temp)
    expect(trunkOf(await other.open(session.id))).toEqual(['q1', 'a1', 'q2'])
  })

  test('one that was cut short is read anew: the leaf falls back to what is there', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1', 'a1', 'q2', 'a2')
    const bytes = readFileSync(session.path)
    truncateSync(session.path, bytes.indexOf('{"type":"message","id":"q2"'))
    expect(await session.append(user('next', 'q3'))).toMatchObject({ parentId: 'a1' })
    expect(await idsOf(session)).toEqual(['q1', 'a1', 'q3'])
    expect(await session.readEntry('a2')).toBeUndefined()
    await using other = await openFileStore(temp)
    expect(trunkOf(await other.open(session.id))).toEqual(['q1', 'a1', 'q3'])
  })

  test('one that was deleted is session_not_found, and is not made again', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1')
    rmSync(session.path)
    await expect(session.append(user('x'))).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(session.refresh()).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await store.list()).toEqual([])
    await session.close()
  })

  test('one that became damaged refuses to be continued', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1', 'a1')
    const text = readFileSync(session.path, 'utf8').replace('{"type":"message","id":"q1"', '}}}garbage{{{')
    writeFileSync(`${session.path}.new`, text)
    renameSync(`${session.path}.new`, session.path)
    await expect(session.append(user('x'))).rejects.toMatchObject({ code: 'session_locked' })
    expect(session.access).toEqual({ mode: 'read', reason: 'damaged' })
    expect(readFileSync(session.path, 'utf8')).toBe(text)
  })
})

test('what is written is synced once, also when somebody follows and the watch wakes for it', async () => {
  using temp = makeTempHome()
  const watched = watchStorage()
  await using store = await openFileStore({ home: temp.home, storage: watched.storage })
  const session = await store.create()
  const followed = session.follow()
  await session.append(user('first'))
  const before = watched.syncs
  for (let i = 0; i < 50; i++) {
    await session.append(user(`${i}`))
    await followed.next()
  }
  expect(watched.syncs - before).toBe(50)
  await followed.return(undefined)
})
