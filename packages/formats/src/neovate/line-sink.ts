import type { Sink } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { redactEntry } from '../redact/redact.ts'

/** Takes the lines of the file. */
export class LineSink {
  readonly isRedacting: boolean
  private readonly sink: Sink
  private readonly notes: FormatNote[]

  constructor(sink: Sink, isRedacting: boolean, notes: FormatNote[]) {
    this.sink = sink
    this.isRedacting = isRedacting
    this.notes = notes
  }

  /** `json` is the line as it was read, where it was kept: to the letter, also if it is nested too deep to be made anew. */
  async put(line: unknown, json?: string): Promise<void> {
    const text = json === undefined || this.isRedacting ? this.stringify(line) : json
    if (text !== undefined) await this.sink(`${text}\n`)
  }

  private stringify(line: unknown): string | undefined {
    try {
      const isRedacted = this.isRedacting && typeof line === 'object' && line !== null
      return JSON.stringify(isRedacted ? redactEntry(line) : line)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const message = 'A line is nested too deep, or is too long, to be written other than it was. It is left out.'
      this.notes.push({ kind: 'left_out', message })
      return undefined
    }
  }
}
