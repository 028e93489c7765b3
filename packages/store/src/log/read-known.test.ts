import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileStorage } from '../storage/file-storage.ts'
import { header, makeTempHome, message, toText } from '../testing/temp-home.ts'
import { LogReader } from './log-reader.ts'
import { readKnown } from './read-known.ts'

const LINES = [header('it'), message('one', 'e1'), message('two', 'e2', 'e1')]

function given(temp: { readonly outside: string }) {
  const path = join(temp.outside, 'it.jsonl')
  writeFileSync(path, toText(LINES))
  const reader = new LogReader()
  reader.push(Buffer.from(toText(LINES)))
  const storage = createFileStorage()
  const known = { reader, identity: storage.statSync(path).identity }
  return { path, known, file: () => storage.openReader(path) }
}

test('C1 what others appended since is taken in', async () => {
  using temp = makeTempHome()
  const { path, known, file } = given(temp)
  appendFileSync(path, toText([message('three', 'e3', 'e2')]))
  const reader = await readKnown(file(), known)
  expect(reader?.tree.rowCount).toBe(3)
})

test('I6 nothing is known of a file that is another one, or shorter', async () => {
  using temp = makeTempHome()
  const { path, known, file } = given(temp)
  truncateSync(path, 20)
  expect(await readKnown(file(), known)).toBeUndefined()
  writeFileSync(`${path}.new`, toText(LINES))
  renameSync(`${path}.new`, path)
  expect(await readKnown(file(), known)).toBeUndefined()
})
