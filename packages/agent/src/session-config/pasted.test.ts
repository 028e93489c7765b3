import { rmSync } from 'node:fs'
import { openFileStore, openMemoryStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTempProject } from '../testing/temp-project.ts'
import { expandPasted, pasteImage, pasteText } from './pasted.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(8)])
const LARGE = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(5_000, 7)])
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')

test('N27 long text becomes a placeholder, short text stays', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  expect(await pasteText(session, 'short')).toBe('short')
  expect(await pasteText(session, lines(121))).toBe('[Pasted text #1 +120 lines]')
  expect(await pasteImage(session, PNG)).toBe('[Image #2]')
  expect(await pasteText(session, 'x'.repeat(801))).toBe('[Pasted text #3]')
  expect(await expandPasted(session, 'see [Pasted text #1 +120 lines]!')).toBe(`see ${lines(121)}!`)
})

test('what was pasted comes back to the character, wherever it stands', async () => {
  const hostile = fc.constantFrom('[Pasted text #1]', '[Image #2]', '\ud800', '\0', '\r\n', '$&', '__proto__')
  const pasted = fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), hostile), { maxLength: 4 })
    .chain((parts) => fc.constantFrom(900, 1_024, 1_025, 3_000).map((length) => parts.join('') + '.'.repeat(length)))
  const typed = fc.string({ unit: 'binary' }).filter((text) => !/\[(?:Pasted|Image)/.test(text))
  await using store = await openMemoryStore()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(typed, pasted), { maxLength: 5 }), typed, async (parts, end) => {
      await using session = await store.create()
      let input = ''
      for (const [said, text] of parts) input += said + (await pasteText(session, text))
      expect(await expandPasted(session, input + end)).toBe(parts.flat().join('') + end)
    }),
    { numRuns: 60 },
  )
})

test('images come back in place, small and large', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const [small, large] = [await pasteImage(session, PNG), await pasteImage(session, LARGE)]
  expect(await expandPasted(session, `a ${small} b ${large}${small}`)).toEqual([
    { type: 'text', text: 'a ' },
    { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
    { type: 'text', text: ' b ' },
    { type: 'image', mimeType: 'image/jpeg', data: LARGE.toString('base64') },
    { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
  ])
  expect(JSON.stringify(session.config).length).toBeLessThan(500)
})

test('pastes are found again after a restart, and numbers go on', async () => {
  using temp = makeTempProject()
  const text = lines(5_000)
  let id: string
  {
    await using store = await openFileStore({ home: temp.home.paths.home })
    await using session = await store.create()
    id = session.id
    await pasteText(session, text)
    await pasteImage(session, LARGE)
  }
  await using store = await openFileStore({ home: temp.home.paths.home })
  await using session = await store.open(id)
  expect(await expandPasted(session, '[Pasted text #1 +4999 lines]')).toBe(text)
  expect(await pasteImage(session, PNG)).toBe('[Image #3]')
  rmSync(temp.home.paths.blobs, { recursive: true })
  await expect(expandPasted(session, '[Pasted text #1]')).rejects.toMatchObject({ code: 'damaged' })
  await expect(expandPasted(session, '[Image #2]')).rejects.toThrow('Paste it again')
})

test('pastes at the same time are all kept, through one open session or two', async () => {
  using temp = makeTempProject()
  await using store = await openFileStore({ home: temp.home.paths.home })
  await using one = await store.create()
  await using other = await openFileStore({ home: temp.home.paths.home })
  await using two = await other.open(one.id)
  const texts = Array.from({ length: 12 }, (_, i) => `${i}`.padEnd(900, '.'))
  const placeholders = await Promise.all(texts.map((text, i) => pasteText(i % 3 === 0 ? two : one, text)))
  expect(new Set(placeholders).size).toBe(12)
  await two.refresh()
  await one.refresh()
  expect(await expandPasted(one, placeholders.join(''))).toBe(texts.join(''))
  expect(await expandPasted(two, placeholders.join(''))).toBe(texts.join(''))
})

test('undo passes over pastes: it takes back what a person did', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await session.rename('Mine')
  await pasteText(session, lines(50))
  await session.undo()
  expect(session.name).toBeUndefined()
  expect(Object.keys(session.config.pastedTextMap)).toEqual(['#1'])
})

test.each([
  '[Pasted text #9 +1 lines]',
  '[Image #1]',
  '[Pasted text #01]',
  '[Pasted text #__proto__]',
  '[Pasted text #constructor]',
  '[Pasted text #-1]',
  '[Pasted text #1',
  '[[Pasted text #2]]',
])('%s, which nobody knows, stays as typed', async (typed) => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await pasteText(session, lines(50))
  expect(await expandPasted(session, typed)).toBe(typed)
})

test('values that another tool or a hostile file left there do no harm', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await session.setConfig({
    pastedTextMap: { '#1': '[Pasted text #1][Image #3]', '#x': 'x', ...JSON.parse('{"__proto__":"p"}') },
    pastedImageMap: { '#3': 'iVBORw0KGgo=', '#999999999999': 'y' },
  })
  expect(await expandPasted(session, '[Pasted text #1][Image #3]')).toBe('[Pasted text #1][Image #3][Image #3]')
  expect(await pasteImage(session, PNG)).toBe('[Image #4]')
})

test('a placeholder repeated without end is refused before it fills the memory', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const placeholder = await pasteText(session, 'x'.repeat(1_000_000))
  await expect(expandPasted(session, placeholder.repeat(200))).rejects.toMatchObject({ code: 'payload_too_large' })
})

test('what is no image, or too large, is refused', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await expect(pasteImage(session, Buffer.from('<svg/>'))).rejects.toMatchObject({ code: 'unsupported_media_type' })
  const huge = Buffer.concat([PNG, Buffer.alloc(20 * 1024 * 1024)])
  await expect(pasteImage(session, huge)).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(session.config.pastedImageMap).toEqual({})
})

test('of very many the latest hundred are kept', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  for (let i = 0; i < 103; i++) await pasteText(session, `${i}`.padEnd(900, '.'))
  const ids = Object.keys(session.config.pastedTextMap)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, '#4', '#103'])
})

test('an imported session that has counted as far as one can count takes another paste', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  await session.setConfig({ pastedTextMap: { '#999999999': 'the last', '#1': 'the first' } })
  const placeholder = await pasteText(session, lines(20))
  expect(await expandPasted(session, placeholder)).toBe(lines(20))
  expect(await expandPasted(session, '[Pasted text #1]')).toBe('the first')
})
