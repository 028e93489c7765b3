import { EventEmitter } from 'node:events'

/** A window that is dragged changes its size many times a second: drawn is what it comes to. */
const SETTLED_MS = 100
const BEGIN_FRAME = '\u001b[?2026h'
const HOME_AND_ERASE = '\u001b[H\u001b[J'
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a program asks of a terminal begins with one.
const MODES = /\u001b\[\?\d+[hl]/g

interface Drawn {
  /** Ink's frame is taken off the screen. */
  clear(): void
}

interface StageOptions {
  readonly stdout: NodeJS.WriteStream
  /** Not while another program, such as an editor, has the terminal. */
  readonly isOurs: () => boolean
  /** The transcript is to be printed anew: its lines are of another width, and a smaller terminal has broken the frame's. */
  readonly onReprint: () => void
}

/**
 * The terminal between Ink and the real one. Ink's own answer to a smaller window leaves parts of its frame behind, one for
 * each size on the way. Here it is told of a size when the window has come to rest, and nothing is drawn until then.
 * Class: opened and closed.
 */
export class Stage {
  /** What Ink is to draw on. */
  readonly stdout: NodeJS.WriteStream
  private readonly options: StageOptions
  private readonly events = new EventEmitter()
  private size: { readonly columns: number; readonly rows: number }
  private drawn: Drawn | undefined
  private resting: NodeJS.Timeout | undefined
  private isHeld = false

  constructor(options: StageOptions) {
    this.options = options
    const { stdout } = options
    this.size = sizeOf(stdout)
    this.stdout = Object.create(stdout, {
      columns: { get: () => this.size.columns },
      rows: { get: () => this.size.rows },
      write: { value: this.write },
      on: { value: (name: string, listener: () => void) => this.emitterOf(name).on(name, listener) },
      off: { value: (name: string, listener: () => void) => this.emitterOf(name).off(name, listener) },
    }) as NodeJS.WriteStream
    stdout.on('resize', this.onResize)
  }

  attach(drawn: Drawn): void {
    this.drawn = drawn
  }

  /**
   * An empty screen. What could be seen goes up into the scrollback, line by line; nothing that was there before is erased.
   */
  clear(): void {
    if (this.isHeld || this.drawn === undefined) return
    const { stdout } = this.options
    stdout.write(BEGIN_FRAME)
    this.drawn.clear()
    // The cursor is where the frame began, and all under it is empty: so many lines as are above it are scrolled away.
    stdout.write('\n'.repeat(this.size.rows - 1) + HOME_AND_ERASE)
  }

  close(): void {
    clearTimeout(this.resting)
    this.isHeld = false
    this.drawn = undefined
    this.options.stdout.off('resize', this.onResize)
  }

  private emitterOf(name: string): EventEmitter {
    return name === 'resize' ? this.events : this.options.stdout
  }

  /** What is drawn meanwhile is lost, because everything is printed anew; what is asked of the terminal is not. */
  private readonly write = (...given: Parameters<NodeJS.WriteStream['write']>): boolean => {
    const { stdout } = this.options
    if (!this.isHeld) return stdout.write(...given)
    const [data, ...rest] = given
    const asked = typeof data === 'string' ? (data.match(MODES) ?? []).join('') : ''
    return stdout.write(asked, ...(rest as []))
  }

  private readonly onResize = (): void => {
    const { stdout, isOurs } = this.options
    const next = sizeOf(stdout)
    // In a wider window the transcript is broken anew, too; in one that is only higher there is just more room below.
    const isBroken = next.columns !== this.size.columns || next.rows < this.size.rows
    if (!isOurs() || !(isBroken || this.isHeld)) {
      this.size = next
      this.events.emit('resize')
      return
    }
    this.isHeld = true
    clearTimeout(this.resting)
    this.resting = setTimeout(this.settle, SETTLED_MS)
  }

  private readonly settle = (): void => {
    this.size = sizeOf(this.options.stdout)
    this.isHeld = false
    if (!this.options.isOurs()) {
      this.events.emit('resize')
      return
    }
    this.clear()
    // Ink draws at once when it is told; the transcript belongs above that.
    this.isHeld = true
    this.events.emit('resize')
    this.drawn?.clear()
    this.isHeld = false
    this.options.onReprint()
  }
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 }
}
