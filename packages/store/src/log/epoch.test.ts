import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { converse, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'

test('W4 a log rewritten in place has another epoch for whoever has it open, each time', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const session = await store.create()
  await converse(session, 'q1', 'a1', 'q2')
  const epochs = [session.epoch]
  const lines = readFileSync(session.path, 'utf8').split('\n')
  for (const count of [3, 2, 1]) {
    writeFileSync(session.path, `${lines.slice(0, count).join('\n')}\n`)
    await session.refresh()
    epochs.push(session.epoch)
  }
  expect(new Set(epochs).size).toBe(4)
})

test('W4 a log with another header has another epoch, though the file is the same', async () => {
  using temp = makeTempHome()
  const path = temp.plant('it', header('it'), message('one', 'e1'))
  await using store = await openFileStore(temp)
  const session = await store.open('it')
  await session.close()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"timestamp":"2', '"timestamp":"3'))
  expect((await store.open('it')).epoch).not.toBe(session.epoch)
})

test('W4 a log that was replaced has another epoch, and those who saw it agree with those who open it', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const session = await store.create()
  await converse(session, 'q1', 'a1')
  const { epoch, path } = session
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  await session.refresh()
  expect(session.epoch).not.toBe(epoch)
  await using other = await openFileStore(temp)
  expect((await other.open(session.id)).epoch).toBe(session.epoch)
})

test('W4 the first append to an old version, which migrates the log, changes the epoch', async () => {
  using temp = makeTempHome()
  temp.plant('it', { ...header('it'), version: 2 }, message('one', 'e1'))
  await using store = await openFileStore(temp)
  const session = await store.open('it')
  const { epoch } = session
  const followed = session.follow()
  await session.append(user('two', 'e2'))
  expect(session.epoch).not.toBe(epoch)
  expect(await followed.next()).toMatchObject({ value: { type: 'reset', epoch: session.epoch } })
  await followed.return(undefined)
})
