import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Sink } from './outbox.ts'

/**
 * Frames that are the same for everybody are written under the WebSocket: no extension was agreed on that would change them,
 * and every frame is whole, so those of `ws` itself (ping, pong, close) come between them. After a close nothing may come.
 */
export class FrameSink implements Sink {
  private readonly socket: WebSocket
  private readonly stream: Duplex

  constructor(socket: WebSocket, stream: Duplex) {
    this.socket = socket
    this.stream = stream
  }

  get writableLength(): number {
    return this.stream.writableLength
  }

  write(bytes: Buffer, onSent?: () => void): void {
    const { socket, stream } = this
    if (socket.readyState === socket.OPEN) stream.write(bytes, onSent)
  }
}
