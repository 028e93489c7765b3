import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { parseForm } from './read-form.ts'

const NAMES = ['file', 'format'] as const
const part = (name: string, content: string | Uint8Array, more = '') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const form = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')])

test('what a browser’s own FormData sends is read, byte for byte', async () => {
  const data = new FormData()
  const bytes = Uint8Array.from({ length: 1_000 }, (_, i) => i % 256)
  data.set('format', 'auto')
  data.set('file', new File([bytes], 'a "quoted"\n name.jsonl'))
  const request = new Request('http://x/', { method: 'POST', body: data })
  const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type')!)![1]!
  const fields = parseForm(Buffer.from(await request.arrayBuffer()), boundary, NAMES)
  expect(fields.get('format')?.toString()).toBe('auto')
  expect(fields.get('file')).toEqual(Buffer.from(bytes))
})

test('any bytes that are not its boundary come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isFirst) => {
      fc.pre(!Buffer.from(bytes).includes('\r\n--b'))
      const parts = [part('file', bytes, '; filename="x"\r\nContent-Type: a/b'), part('format', 'pi')]
      const fields = parseForm(form(...(isFirst ? parts : parts.toReversed())), 'b', NAMES)
      expect(fields.get('file')).toEqual(Buffer.from(bytes))
      expect(fields.get('format')?.toString()).toBe('pi')
    }),
    { numRuns: runs(100) },
  )
})

test('anything else is refused, and never hangs', () => {
  const good = form(part('file', 'x'))
  for (const wrong of [
    Buffer.alloc(0),
    Buffer.from('--b'),
    Buffer.from('preamble\r\n--b\r\n'),
    form(part('path', 'x')),
    form(part('__proto__', 'x')),
    form(part('file', 'x'), part('file', 'y')),
    part('file', 'x').subarray(0, -4),
    Buffer.from(`--b\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n--b--`),
    Buffer.from(`--b\r\nX: ${'y'.repeat(9_000)}\r\n\r\nx\r\n--b--`),
    Buffer.concat([good.subarray(0, -6), Buffer.from('--b?')]),
  ]) {
    expect(() => parseForm(wrong, 'b', NAMES), wrong.toString().slice(0, 60)).toThrow('The form cannot be read')
  }
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(good)
      changed[at] = byte
      try {
        parseForm(changed, 'b', NAMES)
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_request' })
      }
    }),
    { numRuns: runs(200) },
  )
})
