import { StringDecoder } from 'node:string_decoder'

const INTERVAL_MS = 50
const MAX_CHARS = 16_384

/**
 * Passes bytes on as text while they come, a few times a second and never much at once: of a flood the latest is shown.
 * Class: it owns a timer.
 */
export class LiveText {
  private readonly show: (text: string) => void
  private readonly decoder = new StringDecoder('utf8')
  private waiting = ''
  private timer: NodeJS.Timeout | undefined

  constructor(show: (text: string) => void) {
    this.show = show
  }

  push(chunk: Buffer): void {
    this.waiting += this.decoder.write(chunk)
    if (this.waiting.length > 4 * MAX_CHARS) this.waiting = this.waiting.slice(-2 * MAX_CHARS)
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  end(): void {
    this.waiting += this.decoder.end()
    this.flush()
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const text = this.waiting.slice(-MAX_CHARS).toWellFormed()
    this.waiting = ''
    if (text === '') return
    try {
      this.show(text)
    } catch {
      // Whoever watches does not stop what runs; the output is kept anyway.
    }
  }
}
