import { once } from 'node:events'
import { type ClientFrame, type ServerFrame, SUBPROTOCOL } from '@treeline/protocol'
import { WebSocket } from 'ws'

type OfKind<T extends ServerFrame['t']> = Extract<ServerFrame, { t: T }>

/** A client that says exactly what a test wants and keeps all that it hears. */
export class RawClient {
  readonly socket: WebSocket
  readonly frames: ServerFrame[] = []
  /** The code, once it is closed. */
  readonly closed: Promise<number>
  private wakes: (() => void)[] = []
  private code: number | undefined

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)) as ServerFrame)
      this.wake()
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.code = code
        resolve(code)
        this.wake()
      })
    })
  }

  say(frame: ClientFrame): void {
    this.socket.send(JSON.stringify(frame))
  }

  /** The first frame of a kind that is so, whether it came already or will. */
  async until<T extends ServerFrame['t']>(
    kind: T,
    isSo: (frame: OfKind<T>) => boolean = () => true,
  ): Promise<OfKind<T>> {
    for (;;) {
      const found = this.frames.find((frame): frame is OfKind<T> => frame.t === kind && isSo(frame as OfKind<T>))
      if (found !== undefined) return found
      if (this.code !== undefined) throw new Error(`It was closed with ${this.code} before ${kind} came.`)
      await new Promise<void>((resolve) => this.wakes.push(resolve))
    }
  }

  /** Numbers of the durable events that came, one for each frame. */
  get seqs(): readonly number[] {
    return this.frames.flatMap((frame) => (frame.t === 'events' && frame.seq !== null ? [frame.seq] : []))
  }

  private wake(): void {
    for (const resolve of this.wakes.splice(0)) resolve()
  }
}

export function socketUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/api/chat/ws`
}

/** Connected, and welcome unless a test says hello itself. */
export async function connectRaw(
  { url, token }: { readonly url: string; readonly token: string },
  { hello = true }: { readonly hello?: boolean } = {},
): Promise<RawClient> {
  const socket = new WebSocket(socketUrl(url), SUBPROTOCOL, { headers: { authorization: `Bearer ${token}` } })
  const client = new RawClient(socket)
  await once(socket, 'open')
  if (!hello) return client
  client.say({ t: 'hello', protocol: 1 })
  await client.until('welcome')
  return client
}
