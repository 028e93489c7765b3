import type { IncomingMessage } from 'node:http'
import { isDeeperThan, TreelineError } from '@treeline/core'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** As deep as an entry of the log may be. */
const MAX_DEPTH = 64

/** The JSON of a request, bounded in bytes and depth. What was left out is an empty object; `null` was said. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) return {}
  refuseOtherType(request)
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null && isDeeperThan(value, MAX_DEPTH)) {
    throw new TreelineError('bad_request', `The body is nested more than ${MAX_DEPTH} deep.`)
  }
  return value
}

/** All bytes of a request. Stops reading at the limit, so that nobody fills the memory. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      settle()
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      // Left open when it is too much: the answer that says so goes over the same connection.
      else end(() => reject(tooLarge(maxBytes)))
    }
    const onEnd = (): void => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const onError = (error: NodeJS.ErrnoException): void =>
      end(() => reject(error.code === 'ECONNRESET' ? clientLeft() : error))
    const onClose = (): void => end(() => reject(clientLeft()))
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

/** The bytes of a request as they come, up to a limit. */
export async function* streamBytes(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  let size = 0
  try {
    // Left open when it is too much: the answer that says so goes over the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw clientLeft()
  }
}

export function isJsonType(type: string | undefined): boolean {
  return mediaTypeOf(type) === 'application/json'
}

/** Without its parameters. */
export function mediaTypeOf(type: string | undefined): string {
  const [name = ''] = (type ?? '').split(';')
  return name.trim().toLowerCase()
}

function refuseOtherType({ headers }: IncomingMessage): void {
  if (isJsonType(headers['content-type'])) return
  throw new TreelineError('unsupported_media_type', 'Send JSON, with `Content-Type: application/json`.')
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's own words would quote what was sent.
    throw new TreelineError('bad_request', 'The body is no JSON in UTF-8.')
  }
}

export function clientLeft(): TreelineError {
  return new TreelineError('bad_request', 'The client left before it was answered.')
}

function tooLarge(maxBytes: number): TreelineError {
  return new TreelineError('payload_too_large', `The body may have at most ${maxBytes} bytes.`)
}
