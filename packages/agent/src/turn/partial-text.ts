import type { AssistantBlock } from '@treeline/core'
import type { Partials, PartialWriter } from '@treeline/store'
import type { Clock } from '../clock.ts'

/** At the latest so much later, or so many bytes, text that came is on the disk. */
const MAX_AGE_MS = 2_000
const MAX_BYTES = 8_192

/** A piece of an answer on its way: text for one of its blocks. */
export interface PartialPiece {
  readonly kind: 'text' | 'thinking'
  readonly block: number
  readonly text: string
}

/**
 * Keeps the text of an answer while it comes, so that a crash loses only the last moments (X70). Writes behind the
 * stream's back: the stream never waits for the disk. Never throws; what went wrong is in `problem`.
 */
export class PartialText {
  problem: unknown
  private readonly partials: Partials | undefined
  private readonly nodeId: string
  private readonly clock: Pick<Clock, 'now'>
  private writer: PartialWriter | undefined
  private waiting: { kind: PartialPiece['kind']; block: number; text: string }[] = []
  private bytes = 0
  private isOver = false
  private since = 0
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  constructor(partials: Partials | undefined, nodeId: string, clock: Pick<Clock, 'now'>) {
    this.partials = partials
    this.nodeId = nodeId
    this.clock = clock
  }

  add({ kind, block, text }: PartialPiece): void {
    if (this.partials === undefined) return
    const last = this.waiting.at(-1)
    if (last !== undefined && last.kind === kind && last.block === block) last.text += text
    else this.waiting.push({ kind, block, text })
    if (this.bytes === 0) this.startTimer()
    this.bytes += Buffer.byteLength(text)
    if (this.bytes >= MAX_BYTES) this.write()
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    this.write()
    await this.writing
  }

  /** The answer is in the log now: what still waits for the disk need not go there. */
  async remove(): Promise<void> {
    this.stop()
    this.isOver = true
    await this.writing
    try {
      await this.writer?.close()
      if (this.writer !== undefined) await this.partials?.remove(this.nodeId)
    } catch (error) {
      this.problem ??= error
    }
  }

  /** Lets go of the file and leaves it where it is. */
  async close(): Promise<void> {
    await this.flush()
    await this.writer?.close()
  }

  private startTimer(): void {
    this.since = this.clock.now()
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.write()
    }, MAX_AGE_MS).unref()
  }

  private write(): void {
    this.stop()
    if (this.bytes === 0) return
    this.queue(JSON.stringify({ at: this.since, pieces: this.waiting.map((p) => [p.kind, p.block, p.text]) }))
    this.waiting = []
    this.bytes = 0
  }

  private queue(line: string): void {
    if (this.partials === undefined) return
    this.writer ??= this.partials.open(this.nodeId)
    const { writer } = this
    this.writing = this.writing
      .then(() => (this.isOver ? undefined : writer.append(line)))
      .catch((error) => {
        this.problem ??= error
      })
  }

  private stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}

/** The blocks that were kept of an answer. Any text is survived; lines that say nothing are passed over. */
export function readPartial(kept: string): AssistantBlock[] {
  const blocks = new Map<number, { readonly kind: 'text' | 'thinking'; text: string }>()
  for (const line of kept.split('\n')) {
    const said = parseLine(line)
    for (const piece of asList(said?.pieces)) {
      const [kind, index, text] = asList(piece)
      if ((kind !== 'text' && kind !== 'thinking') || typeof index !== 'number' || typeof text !== 'string') continue
      const block = blocks.get(index)
      if (block === undefined) blocks.set(index, { kind, text })
      else block.text += text
    }
  }
  return [...blocks]
    .sort(([a], [b]) => a - b)
    .map(([, { kind, text }]) => (kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text }))
}

function parseLine(line: string): { readonly pieces?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // The last line may be torn: it was on its way when the process died.
    return undefined
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
