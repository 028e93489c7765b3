import { connect, type Socket } from 'node:net'

export interface RawReply {
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const MAX_MS = 5_000

/**
 * Sends these bytes, whatever they are, and gives what is answered, up to where the connection ends or the answer does.
 * `undefined` when it is closed without a word.
 */
export async function sayRaw(
  url: string,
  bytes: string | Uint8Array,
  { end = false }: { readonly end?: boolean } = {},
): Promise<RawReply | undefined> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  const said = Promise.withResolvers<RawReply | undefined>()
  const chunks: Buffer[] = []
  const isHead = bytes.slice(0, 5).toString() === 'HEAD '
  const read = (): RawReply | undefined => parse(Buffer.concat(chunks), isHead)
  socket.setTimeout(MAX_MS, () => said.reject(new Error('There was no answer.')))
  // Whoever refuses may close before all was sent; what was said before counts.
  socket.on('error', () => {})
  socket.on('close', () => said.resolve(read()))
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    const reply = read()
    if (reply !== undefined) said.resolve(reply)
  })
  if (end) socket.end(bytes)
  else socket.write(bytes)
  try {
    return await said.promise
  } finally {
    socket.destroy()
  }
}

/** `undefined` until all of it has come. */
function parse(bytes: Buffer, isHead: boolean): RawReply | undefined {
  // That it may go on is not yet an answer.
  const text = bytes.toString('utf8').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = text.slice(headEnd + 4)
  const length = Number(headers.get('content-length') ?? 0)
  // This one has no end.
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const isWhole = headers.has('transfer-encoding') ? body.endsWith('0\r\n\r\n') : Buffer.byteLength(body) >= length
  return isWhole || isHead || isStream ? { status: Number(first.split(' ')[1]), headers, body } : undefined
}
