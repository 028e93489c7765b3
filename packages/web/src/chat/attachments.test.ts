import { splitAttached } from '@treeline/core'
import { expect, test } from 'vitest'
import { type Attachment, decodeText, toContent } from './attachments.ts'

const picture: Attachment = { kind: 'image', name: 'a.png', blob: 'blob:sha256:00', mimeType: 'image/png' }
const file: Attachment = { kind: 'file', name: 'a "b".txt', text: 'one\ntwo\n' }

test('words alone stay words', () => expect(toContent('Hello', [])).toBe('Hello'))

test('files and pictures stand behind what was said, and are known as files again', () => {
  const content = toContent('Look', [file, picture])
  expect(content).toMatchObject([{ type: 'text', text: 'Look' }, { type: 'text' }, { type: 'image' }])
  const blocks = (content as { type: string; text?: string }[]).map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text! }
      : { type: 'image' as const, data: '', mimeType: '' },
  )
  const { said, attached } = splitAttached(blocks)
  expect(said).toEqual([{ type: 'text', text: 'Look' }])
  expect(attached).toEqual([{ path: 'a "b".txt', count: 2, isCut: false }])
})

test('a file without a word is named, a picture speaks for itself', () => {
  expect(toContent(' ', [file])).toMatchObject([{ type: 'text', text: 'a "b".txt' }, { type: 'text' }])
  expect(toContent('', [picture])).toEqual([{ type: 'image', blob: 'blob:sha256:00', mimeType: 'image/png' }])
})

test('bytes that are no text are told from those that are', () => {
  expect(decodeText(new TextEncoder().encode('héllo'))).toBe('héllo')
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x00]))).toBeUndefined()
  expect(decodeText(new Uint8Array([65, 0, 66]))).toBeUndefined()
})
