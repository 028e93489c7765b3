import type { FuzzedRequest } from './requests.ts'

/** The request as bytes; with what it says about its length only as true as it was asked for. */
export function encodeRequest(request: FuzzedRequest, base: Readonly<Record<string, string>>): Buffer {
  const { method, target, headers, body, framing } = request
  const bytes = Buffer.from(body ?? '')
  const lines = Object.entries({ ...base, connection: 'close', ...headers, ...lengthOf(request, bytes.length) })
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  const content = framing === 'chunked' && body !== undefined ? chunked(bytes) : bytes
  return Buffer.concat([Buffer.from(head, 'latin1'), content])
}

function lengthOf({ body, framing }: FuzzedRequest, length: number): Readonly<Record<string, string>> {
  if (body === undefined) return {}
  if (framing === 'chunked' || framing === 'no-chunks') return { 'transfer-encoding': 'chunked' }
  if (framing === 'too-short') return { 'content-length': String(Math.max(0, length - 3)) }
  if (framing === 'too-long') return { 'content-length': String(length + 3) }
  return { 'content-length': String(length) }
}

function chunked(bytes: Buffer): Buffer {
  const last = Buffer.from('0\r\n\r\n')
  if (bytes.length === 0) return last
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n'), last])
}
