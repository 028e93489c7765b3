import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { header, makeTempHome, message, type TempHome, toText } from '../testing/temp-home.ts'
import { createSource, folderSource } from './folder-source.ts'

function put(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.jsonl`)
  writeFileSync(path, toText([header(name), message('one', 'e1')]))
  return path
}

function list({ home }: TempHome, ...folders: readonly string[]): string[] {
  const source = createSource(folderSource({ name: 'pi', folders, home }).options)
  const unread = (dir: string, error: unknown) => expect.unreachable(`${dir}: ${error}`)
  return [...source.list(unread)]
}

test('X14 one tool may have several folders; one that is missing holds nothing', () => {
  using temp = makeTempHome()
  const [a, b] = [join(temp.outside, 'a'), join(temp.outside, 'b')]
  const files = [put(a, 's1'), put(join(a, '--p--'), 's2'), put(join(b, '--q--'), 's3')]
  expect(list(temp, a, join(temp.outside, 'missing'), b)).toEqual(files)
})

test('a file that links or folders in each other lead to several times is listed once', () => {
  using temp = makeTempHome()
  const a = join(temp.outside, 'a')
  const files = [put(a, 's1'), put(join(a, '--p--'), 's2'), put(join(a, '--p--'), 's3')]
  const link = join(temp.outside, 'link')
  symlinkSync(a, link)
  expect(list(temp, link, a, join(a, '--p--'), join(link, '--p--'), `${a}/`)).toEqual(files)
})

test("our own sessions are not another tool's, whichever way they are pointed at", () => {
  using temp = makeTempHome()
  const own = temp.plant('mine', header('mine'), message('one', 'e1'))
  writeFileSync(join(temp.home, 'audit.jsonl'), '{}\n')
  const link = join(temp.outside, 'link')
  symlinkSync(join(temp.home, 'sessions'), link)
  const inHome = put(join(temp.home, 'tool', 'sessions'), 's1')
  const folders = [temp.home, join(temp.home, 'sessions'), link, join(own, '..'), join(temp.home, 'tool', 'sessions')]
  expect(list(temp, ...folders)).toEqual([inHome])
})
