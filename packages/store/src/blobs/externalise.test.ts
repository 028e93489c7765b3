import type { Entry } from '@treeline/core'
import { encodeLine } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { memoryBlobs } from '../testing/memory-blobs.ts'
import type { BlobRef } from './blob-ref.ts'
import { externalise, needsExternalising } from './externalise.ts'

const NOTICE = '\n\n[Session persistence truncated large content]'
const LONG = 'x'.repeat(500_001)
const IMAGE = Buffer.alloc(768, 7).toString('base64')

function entry(fields: object): Entry {
  return { type: 'custom', id: 'aaaaaaaa', parentId: null, timestamp: '2026-01-01T00:00:00.000Z', ...fields }
}

/** Enough of a shape for what these tests look at. */
interface Stored extends Entry {
  readonly treelineFull?: Readonly<Record<string, BlobRef>>
}

async function store(fields: object) {
  const blobs = memoryBlobs()
  const original = entry(fields)
  const before = JSON.stringify(original)
  const stored = await externalise(original, blobs.put)
  expect(JSON.stringify(original)).toBe(before)
  expect(needsExternalising(original)).toBe(stored !== original)
  // The same, told by the text of a message; one that merely looks like it is looked at more closely.
  for (const message of [original, { data: original }, { text: '"data":"partialJson":' }]) {
    const carrier = { type: 'message', id: 'bbbbbbbb', parentId: null, timestamp: original.timestamp, message }
    expect(needsExternalising(carrier, JSON.stringify(message))).toBe(needsExternalising(carrier))
  }
  return { stored: stored as Stored, original, blobs }
}

async function isUntouched(fields: object): Promise<boolean> {
  const blobs = memoryBlobs()
  const original = entry(fields)
  return (await externalise(original, blobs.put)) === original && blobs.kept.size === 0
}

describe('S31 long text', () => {
  test('over 500,000 characters is cut to fit, with the notice; the whole is in a blob', async () => {
    const { stored, blobs } = await store({ data: { text: LONG } })
    const { text } = stored.data as { text: string }
    expect(text).toHaveLength(500_000)
    expect(text.endsWith(`x${NOTICE}`)).toBe(true)
    const ref = stored.treelineFull!['/data/text']!
    expect(Buffer.from(blobs.kept.get(ref)!).toString()).toBe(LONG)
  })

  test('of exactly 500,000 characters stays', async () => {
    expect(await isUntouched({ data: { text: LONG.slice(1) } })).toBe(true)
  })

  test('is never cut inside a character', async () => {
    const text = `${'x'.repeat(499_952)}😀${'x'.repeat(100)}`
    const { stored } = await store({ data: text })
    expect(stored.data).toBe('x'.repeat(499_952) + NOTICE)
    const { stored: whole } = await store({ data: `${'x'.repeat(499_951)}😀${'x'.repeat(100)}` })
    expect(whole.data).toHaveLength(500_000)
  })

  test('is named by a JSON pointer, its keys escaped', async () => {
    const { stored } = await store({ data: { 'a/b~c': [{ '': LONG }] }, summary: `${LONG}!` })
    expect(Object.keys(stored.treelineFull!).sort()).toEqual(['/data/a~1b~0c/0/', '/summary'])
  })

  test('takes the line count beside it along', async () => {
    const content = 'line\n'.repeat(200_000)
    const { stored } = await store({
      data: [
        { content, lineCount: 200_001 },
        { content: 'a\nb', lineCount: 7 },
      ],
    })
    const [cut, kept] = stored.data as [{ content: string; lineCount: number }, object]
    expect(cut.lineCount).toBe(cut.content.split('\n').length)
    expect(kept).toEqual({ content: 'a\nb', lineCount: 7 })
  })

  test('that was named before stays named', async () => {
    const earlier = `blob:sha256:${'a'.repeat(64)}`
    const { stored } = await store({ treelineFull: { '/summary': earlier }, data: LONG })
    expect(stored.treelineFull).toMatchObject({ '/summary': earlier, '/data': expect.any(String) })
  })
})

describe('S31 what is worth nothing in part is never cut', () => {
  test.each([
    { type: 'thinking', thinkingSignature: LONG },
    { type: 'toolCall', thoughtSignature: LONG },
    { type: 'text', textSignature: LONG },
    { type: 'thinking', signature: LONG },
    { type: 'thinking', thinking: LONG, thinkingSignature: 'c2ln' },
    { type: 'thinking', thinking: LONG, signature: 'c2ln' },
    { type: 'reasoning', encrypted_content: LONG },
    { type: 'redactedThinking', data: LONG },
    { type: 'redacted_thinking', data: LONG },
    { type: 'base64', media_type: 'application/pdf', data: LONG },
    { type: 'input_image', image_url: `data:image/png;base64,${LONG}` },
  ])('%#', async (block) => {
    expect(await isUntouched({ message: { role: 'assistant', content: [block] } })).toBe(true)
  })

  test('a thought that nobody signed is, as any text', async () => {
    expect(await isUntouched({ message: { content: [{ type: 'thinking', thinking: LONG }] } })).toBe(false)
  })

  test('nor is the head of an entry', async () => {
    expect(await isUntouched({ id: LONG, parentId: LONG })).toBe(true)
  })
})

describe('S31 what the tree reads stays as it is: it would be read without the rest', () => {
  const data = { content: [{ type: 'image', data: IMAGE }], text: LONG, partialJson: '{' }

  test.each([
    { customType: 'treeline/edit', data },
    { customType: 'treeline/generation', data },
    { type: 'label', targetId: 'bbbbbbbb', label: LONG },
    { type: 'session_info', name: LONG },
    { type: 'title_change', title: LONG },
  ])('%#', async (fields) => {
    expect(await isUntouched(fields)).toBe(true)
    expect(needsExternalising(entry(fields))).toBe(false)
  })

  test('and nothing else of ours does', async () => {
    const { stored, blobs } = await store({ customType: 'treeline/notes', data })
    expect(Object.keys(stored.data as object)).toEqual(['content', 'text'])
    expect(blobs.kept.size).toBe(2)
  })
})

describe('S31 images', () => {
  const block = { type: 'image', data: IMAGE, mimeType: 'image/png' }

  test('a base64 image of 1,024 characters becomes a blob of its bytes', async () => {
    expect(IMAGE).toHaveLength(1024)
    const { stored, blobs } = await store({ type: 'message', message: { role: 'user', content: [block] } })
    const [ref] = blobs.kept.keys()
    expect(stored.message).toEqual({ role: 'user', content: [{ ...block, data: ref }] })
    expect(blobs.kept.get(ref!)).toEqual(Buffer.alloc(768, 7))
    expect(stored).not.toHaveProperty('treelineFull')
  })

  test.each([
    ['shorter', { content: [{ ...block, data: IMAGE.slice(4) }] }],
    ['not in an array', { content: block }],
    ['not under content', { images: [block] }],
    ['of another type', { content: [{ ...block, type: 'audio' }] }],
    ['a reference already', { content: [{ ...block, data: `blob:sha256:${'a'.repeat(64)}` }] }],
    [
      'without its padding',
      { content: [{ ...block, data: Buffer.alloc(1000).toString('base64').replace(/=+$/, '') }] },
    ],
    ['with line ends', { content: [{ ...block, data: `${IMAGE}\n${IMAGE}` }] }],
    ['base64url', { content: [{ ...block, data: Buffer.alloc(900, 255).toString('base64url') }] }],
    ['a data URL', { content: [{ ...block, data: `data:image/png;base64,${IMAGE}` }] }],
    ['long and no base64', { content: [{ ...block, data: `${LONG}!` }] }],
  ])('%s: stays as it is', async (_name, data) => {
    expect(await isUntouched({ data })).toBe(true)
  })

  test('at any depth', async () => {
    const { stored } = await store({ data: { deep: [{ content: [block] }] } })
    expect(JSON.stringify(stored)).not.toContain(IMAGE)
  })
})

test('S31 transient fields are removed at any depth, with all that is in them', async () => {
  const { stored, blobs } = await store({
    jsonlEvents: [LONG],
    data: [{ partialJson: { content: [{ type: 'image', data: IMAGE }] }, kept: 1 }],
  })
  expect(stored).toEqual(entry({ data: [{ kept: 1 }] }))
  expect(blobs.kept.size).toBe(0)
})

test('an entry that needs nothing is the same object', async () => {
  expect(await isUntouched({ message: { role: 'user', content: [{ type: 'text', text: 'hi' }] } })).toBe(true)
})

test('what is not changed is shared, and key order stays', async () => {
  const { stored, original } = await store({
    before: { a: 1 },
    data: { z: 1, partialJson: '', a: [1] },
    after: { b: 1 },
  })
  expect(stored.before).toBe(original.before)
  expect(JSON.stringify(stored)).toBe(
    JSON.stringify(entry({ before: { a: 1 }, data: { z: 1, a: [1] }, after: { b: 1 } })),
  )
})

test('G1 a cycle, or nesting no log takes, is left for the encoder to refuse', async () => {
  const cycle: Record<string, unknown> = { partialJson: 1, data: LONG }
  cycle.a = cycle
  cycle.b = [cycle, cycle]
  let deep: unknown = LONG
  for (let n = 0; n < 100_000; n++) deep = { deep }
  for (const data of [cycle, deep]) {
    expect(await isUntouched({ data })).toBe(true)
    expect(() => encodeLine(entry({ data }))).toThrow(expect.objectContaining({ code: 'invalid_entry' }))
  }
})

test('a failed put fails the whole', async () => {
  const failing = () => Promise.reject(new Error('full'))
  await expect(externalise(entry({ data: LONG }), failing)).rejects.toThrow('full')
})
