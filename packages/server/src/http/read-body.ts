import type { IncomingMessage } from 'node:http'
import { isDeeperThan, TreelineError } from '@treeline/core'

/** As deep as an entry of the log may be. */
const MAX_DEPTH = 64

/** The JSON of a request, bounded in bytes and depth. `undefined` when nothing was sent. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) return undefined
  refuseOtherType(request)
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null && isDeeperThan(value, MAX_DEPTH)) {
    throw new TreelineError('bad_request', `The body is nested more than ${MAX_DEPTH} deep.`)
  }
  return value
}

/** All bytes of a request. Stops reading at the limit, so that nobody fills the memory. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refuseOtherType({ headers }: IncomingMessage): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return
  throw new TreelineError('unsupported_media_type', 'Send JSON, with `Content-Type: application/json`.')
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own words would quote what was sent.
    throw new TreelineError('bad_request', 'The body is no JSON in UTF-8.')
  }
}

function tooLarge(maxBytes: number): TreelineError {
  return new TreelineError('payload_too_large', `The body may have at most ${maxBytes} bytes.`)
}
