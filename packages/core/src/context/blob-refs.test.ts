import { expect, test } from 'vitest'
import type { AgentMessage } from '../entry/message.ts'
import { findBlobRefs, replaceBlobRefs } from './blob-refs.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const ref = (hash: string) => `blob:sha256:${hash}`
const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })
const message = (fields: object) => ({ role: 'user', content: 'x', ...fields }) as unknown as AgentMessage

test('S32 image blocks of the content, generated images, and data URLs at any depth', () => {
  const found = findBlobRefs(
    message({
      content: [{ type: 'text', text: 'see' }, image(ref(A)), image('AAAA')],
      providerPayload: {
        items: [{ content: [{ image_url: ref(B) }] }, { type: 'image_generation_call', result: ref(A) }],
      },
    }),
  )
  expect(new Set(found.map(({ hash, form }) => `${hash[0]} ${form}`))).toEqual(new Set(['a base64', 'b text']))
  expect(found.length).toBe(3)
})

test.each([
  ['a path', { content: [image('blob:sha256:../../secret.txt')] }],
  ['a short hash', { content: [image('blob:sha256:abc')] }],
  ['capitals', { content: [image(ref('A'.repeat(64)))] }],
  ['something after the hash', { content: [image(`${ref(A)}/..`)] }],
  ['text that looks like one', { content: [{ type: 'text', text: ref(A) }] }],
  ['plain content', { content: ref(A) }],
  ['an image beside the content', { images: [image(ref(A))] }],
  ['an image elsewhere', { details: { content: [image(ref(A))] } }],
])('K3 %s is no reference', (_, fields) => {
  const given = message(fields)
  expect(findBlobRefs(given)).toEqual([])
  expect(replaceBlobRefs(given, () => 'never')).toBe(given)
})

test('references are replaced in a copy; what is not found stays', () => {
  const given = message({
    content: [image(ref(A)), image(ref(B)), image(ref(A))],
    more: { deep: [[{ image_url: ref(A) }]], untouched: {} },
  })
  const before = structuredClone(given)
  const replaced = replaceBlobRefs(given, ({ hash, form }) => (hash === A ? form : undefined))
  expect(replaced).toEqual({
    ...before,
    content: [image('base64'), image(ref(B)), image('base64')],
    more: { deep: [[{ image_url: 'text' }]], untouched: {} },
  })
  expect(given).toEqual(before)
})

test('G1 a message nested 1,000,000 levels deep does not overflow the stack', () => {
  let nested: unknown = { image_url: ref(A) }
  for (let depth = 0; depth < 1_000_000; depth++) nested = [nested]
  expect(findBlobRefs(message({ nested })).length).toBe(1)
})
