import xterm from '@xterm/headless'

/** What a program may do to a terminal besides writing on it, as it came. */
interface Spied {
  readonly clipboard: string[]
  readonly links: string[]
  readonly titles: string[]
  bells: number
}

/** The screen of a terminal: what is written to it, read as a person would see it. */
export class TerminalScreen {
  readonly spied: Spied = { clipboard: [], links: [], titles: [], bells: 0 }
  readonly #xterm: xterm.Terminal

  constructor(columns: number, rows: number) {
    this.#xterm = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
    const { parser } = this.#xterm
    const note = (code: number, list: string[]) =>
      parser.registerOscHandler(code, (data) => {
        list.push(data)
        return false
      })
    note(52, this.spied.clipboard)
    note(8, this.spied.links)
    for (const code of [0, 1, 2]) note(code, this.spied.titles)
    this.#xterm.onBell(() => this.spied.bells++)
  }

  /** In the middle of a frame that the program asked to be shown at once. */
  get isHeld(): boolean {
    return this.#xterm.modes.synchronizedOutputMode
  }

  get takesPastes(): boolean {
    return this.#xterm.modes.bracketedPasteMode
  }

  /** Resolves when it is on the screen. */
  write(data: string): Promise<void> {
    return new Promise((resolve) => this.#xterm.write(data, resolve))
  }

  /** A terminal answers questions, such as where its cursor is. */
  onAnswer(send: (answer: string) => void): void {
    this.#xterm.onData(send)
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows)
  }

  shown(): readonly string[] {
    return this.#rows(this.#xterm.buffer.active.baseY, this.#xterm.rows)
  }

  scrolledOff(): readonly string[] {
    return this.#rows(0, this.#xterm.buffer.active.baseY)
  }

  cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#xterm.buffer.active
    return { row: cursorY, column: cursorX }
  }

  /** For a message. */
  picture(): string {
    const edge = `+${'-'.repeat(this.#xterm.cols)}+`
    return [edge, ...this.shown().map((row) => `|${row}`), edge].join('\n')
  }

  #rows(from: number, count: number): readonly string[] {
    const { active } = this.#xterm.buffer
    return Array.from(
      { length: count },
      (_, i) =>
        active
          .getLine(from + i)
          ?.translateToString(true)
          .trimEnd() ?? '',
    )
  }
}
