const FINAL_TEXT = 0x81
const TWO_BYTES = 126
const EIGHT_BYTES = 127

/**
 * A text message as it goes over a WebSocket from a server (RFC 6455, 5.2): unmasked and whole, so the same bytes for
 * everybody, written with one call instead of the two that `ws` needs for a head and a body.
 */
export class TextFrame {
  readonly wire: Buffer
  private readonly headBytes: number

  constructor(text: string) {
    const size = Buffer.byteLength(text)
    this.headBytes = size < TWO_BYTES ? 2 : size <= 0xffff ? 4 : 10
    // Not of the shared pool: these live as long as a slow client lets them.
    const wire = Buffer.allocUnsafeSlow(this.headBytes + size)
    wire[0] = FINAL_TEXT
    if (this.headBytes === 2) wire[1] = size
    else if (this.headBytes === 4) {
      wire[1] = TWO_BYTES
      wire.writeUInt16BE(size, 2)
    } else {
      wire[1] = EIGHT_BYTES
      wire.writeBigUInt64BE(BigInt(size), 2)
    }
    wire.write(text, this.headBytes)
    this.wire = wire
  }

  /** The text alone. */
  get bytes(): Buffer {
    return this.wire.subarray(this.headBytes)
  }
}
