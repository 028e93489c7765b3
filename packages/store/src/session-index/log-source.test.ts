import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IndexWorld } from '../testing/index-world.ts'
import { header, message, toText } from '../testing/temp-home.ts'
import { createSource, folderSource } from './folder-source.ts'
import type { NodePlace, SessionSource } from './session-source.ts'
import { loadSources } from './sources.ts'

async function own(world: IndexWorld): Promise<SessionSource> {
  return (await loadSources(world.home, [])).get('treeline')!
}

async function placesIn(source: SessionSource, path: string): Promise<NodePlace[]> {
  await using session = await source.open(path)
  const { heads, ids, rowCount } = session.tree
  return Array.from({ length: rowCount }, (_, row) => ({
    id: ids.textOf(session.tree.refAtRow(row)),
    offset: heads.offset[row]!,
    length: heads.lengthOf(row),
  }))
}

const LINES = [message('one', 'a1'), message('two', 'a2', 'a1'), message('three', 'a3', 'a2')]

test('entries are read by their place, in whatever order they are asked for', async () => {
  await using world = new IndexWorld()
  const source = await own(world)
  const path = world.temp.plant('s1', header('s1'), ...LINES)
  const [first, second, third] = (await placesIn(source, path)) as [NodePlace, NodePlace, NodePlace]
  expect(await source.read(path, [third, first, third])).toEqual([LINES[2], LINES[0], LINES[2]])
  expect(await source.read(path, [])).toEqual([])
  const wrong = [
    { ...second, id: 'a1' },
    { ...second, offset: second.offset + 1 },
    { ...second, offset: 1e9 },
    { ...second, offset: -1 },
    { ...second, length: 1e15 },
    { ...second, length: Number.NaN },
  ]
  expect(await source.read(path, [...wrong, second])).toEqual([...wrong.map(() => undefined), LINES[1]])
})

test('what is no longer where it was is not there', async () => {
  await using world = new IndexWorld()
  const source = await own(world)
  const path = world.temp.plant('s1', header('s1'), ...LINES)
  const places = await placesIn(source, path)
  writeFileSync(path, toText([header('s1'), LINES[0]!, message('2', 'a2', 'a1')]))
  expect(await source.read(path, places)).toEqual([LINES[0], undefined, undefined])
  rmSync(path)
  expect(await source.read(path, places)).toEqual([undefined, undefined, undefined])
})

test('S16 entries of version 1 are read by the ids they are given', async () => {
  await using world = new IndexWorld()
  const source = await own(world)
  const path = world.temp.plant('s1', header('s1', 1), message('one'), message('two'))
  const places = await placesIn(source, path)
  const texts = (await source.read(path, [places[1]!, places[0]!])).map((entry) => [entry?.id, entry?.message])
  expect(texts).toMatchObject([
    [places[1]!.id, { content: 'two' }],
    [places[0]!.id, { content: 'one' }],
  ])
  expect(await source.read(path, [{ ...places[1]!, id: places[0]!.id }])).toEqual([undefined])
})

test('a mark stays while a log grows, and changes when what it covers does', async () => {
  await using world = new IndexWorld()
  const source = await own(world)
  const path = world.temp.plant('s1', header('s1'), ...LINES)
  const markAt = async (rows: number) => {
    await using session = await source.open(path)
    return await session.markAt(rows)
  }
  const marks = [await markAt(0), await markAt(2)]
  appendFileSync(path, toText([message('four', 'a4', 'a3')]))
  expect([await markAt(0), await markAt(2)]).toEqual(marks)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('two', 'TWO'))
  expect(await markAt(2)).not.toBe(marks[1])
  writeFileSync(path, text.replace('"cwd":"/p"', '"cwd":"/q"'))
  expect(await markAt(0)).not.toBe(marks[0])
  expect(await markAt(2)).not.toBe(marks[1])
})

test('the folder of another tool is a source; what cannot be one is refused', async () => {
  await using world = new IndexWorld()
  await using tool = new IndexWorld()
  const path = tool.temp.plant('s1', header('s1'), ...LINES)
  const { options } = folderSource({ name: 'pi', folders: [tool.home.paths.sessions], home: world.temp.home })
  const source = createSource(options)
  expect([source.name, [...source.list(() => {})]]).toEqual(['pi', [path]])
  const loose = join(tool.home.paths.sessions, 'loose.jsonl')
  writeFileSync(loose, toText([header('s2'), ...LINES]))
  expect([...source.list(() => {})]).toEqual([loose, path])
  expect(await source.read(path, await placesIn(source, path))).toEqual(LINES)
  for (const bad of [undefined, {}, { name: 1, folders: ['x'], home: 'y' }, { name: 'x', folders: 'y', home: 'z' }]) {
    expect(() => createSource(bad)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  }
  await expect(world.open({ sources: [{ module: 'node:path' }] })).rejects.toMatchObject({ code: 'bad_request' })
})
