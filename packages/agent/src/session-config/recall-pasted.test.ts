import { openMemoryStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandPasted, pasteImage, pasteText } from './pasted.ts'
import { recallPasted } from './recall-pasted.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(8)])
const LARGE = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(5_000, 7)])

test('N55 what was typed stands in the input again, with the placeholders it had', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const [text, small, large] = [
    await pasteText(session, 'line\n'.repeat(50)),
    await pasteImage(session, PNG),
    await pasteImage(session, LARGE),
  ]
  const typed = `Look at ${small} and ${large}: ${text} and say why.\n${small}`
  expect(await recallPasted(session, await expandPasted(session, typed))).toBe(typed)
  expect(await recallPasted(session, 'short')).toBe('short')
  expect(Object.keys(session.config.pastedImageMap)).toEqual(['#2', '#3'])
})

test('long text that was typed can be edited; only what nobody edits becomes a placeholder', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const typed = 'word '.repeat(1_000)
  expect(await recallPasted(session, typed)).toBe(typed)
  const huge = 'word '.repeat(10_000)
  expect(await recallPasted(session, huge)).toBe('[Pasted text #1]')
  expect(await expandPasted(session, '[Pasted text #1]')).toBe(huge)
})

test('images of another session get a placeholder here', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create()
  const image = { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') } as const
  const content = [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }, image] as const
  const typed = await recallPasted(session, content)
  expect(typed).toBe('one\ntwo[Image #1]')
  expect(await expandPasted(session, typed)).toEqual([{ type: 'text', text: 'one\ntwo' }, image])
})

test('property: said again, the same is sent', async () => {
  await using store = await openMemoryStore()
  const typed = fc.string({ unit: 'binary' }).filter((text) => !/\[(?:Pasted|Image)/.test(text))
  const pasted = fc.string({ unit: 'binary' }).map((text) => text + '.'.repeat(900))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(typed, pasted, fc.boolean()), { maxLength: 4 }), async (parts) => {
      await using session = await store.create()
      let input = ''
      for (const [said, text, hasImage] of parts) {
        input += said + (await pasteText(session, text)) + (hasImage ? await pasteImage(session, PNG) : '')
      }
      const sent = await expandPasted(session, input)
      expect(await expandPasted(session, await recallPasted(session, sent))).toEqual(sent)
    }),
    { numRuns: 60 },
  )
})
