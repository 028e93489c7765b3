import type { Entry } from '../../packages/core/src/entry/entry.ts'
import { createRandom, type Random } from './random.ts'
import { createTexts, type Texts } from './texts.ts'

export interface SessionShape {
  readonly seed: number
  /** When its first entry was made. */
  readonly startMs?: number
  /** The session ends with the first entry that reaches one of these. */
  readonly maxBytes?: number
  readonly maxEntries?: number
  /** Share of the entries that start a branch somewhere above. */
  readonly branching: number
  /** Where branches start: at any earlier turn, or at one of the latest, as when people try again. */
  readonly branchAt?: 'anywhere' | 'recent'
  /** Scales the texts: at 1 a line has 0.3 to 6 KB, and now and then a tool gives 100 KB; at 0.65 its mean is 1.5 KB. */
  readonly textScale: number
  /** Begins every so manieth prompt with a word that stands nowhere else. */
  readonly marks?: { readonly word: string; readonly everyTurns: number }
}

/** A turn on the current path: the entry it hangs under, and its first. */
export interface Turn {
  readonly parentId: string | null
  readonly firstId: string
  readonly entriesBefore: number
  readonly messagesBefore: number
}

export const START_MS = Date.UTC(2026, 0, 15, 10)
const MS_PER_ENTRY = 7_311

/** Class: it is the state of a session being written. What becomes of the entries is the taker's business. */
export class SessionWriter {
  readonly random: Random
  readonly texts: Texts
  shape: SessionShape
  /** Entries at which turns began: where people branch. */
  readonly turns: (string | null)[] = []
  /** The turns from the root to the leaf. */
  readonly path: Turn[] = []
  leafId: string | null = null
  entries = 0
  messages = 0
  /** Prompts that begin with the word of `marks`. */
  marked = 0
  private bytes = 0
  private readonly take: (entry: Entry) => number
  private readonly ids = new Set<string>()
  private calls = 0

  /** `take` gives the bytes that the entry became. */
  constructor(shape: SessionShape, take: (entry: Entry) => number) {
    this.shape = shape
    this.take = take
    this.random = createRandom(shape.seed)
    this.texts = createTexts(this.random)
  }

  /** Entries that may still follow. */
  get room(): number {
    const { maxBytes = Number.POSITIVE_INFINITY, maxEntries = Number.POSITIVE_INFINITY } = this.shape
    return this.bytes >= maxBytes ? 0 : maxEntries - this.entries
  }

  get nowMs(): number {
    return (this.shape.startMs ?? START_MS) + this.entries * MS_PER_ENTRY
  }

  write(type: string, fields: Readonly<Record<string, unknown>>): string {
    const id = this.newId()
    const place = { id, parentId: this.leafId, timestamp: new Date(this.nowMs).toISOString() }
    // Pi puts the id of its extensions' entries last.
    const entry: Entry = 'customType' in fields ? { type, ...fields, ...place } : { type, ...place, ...fields }
    this.bytes += this.take(entry)
    this.entries++
    if (type === 'message') this.messages++
    this.leafId = id
    return id
  }

  newCallId(): string {
    return `toolu_${String(++this.calls).padStart(8, '0')}`
  }

  private newId(): string {
    for (;;) {
      const id = this.random.int(0, 0xffff_ffff).toString(16).padStart(8, '0')
      if (this.ids.has(id)) continue
      this.ids.add(id)
      return id
    }
  }
}
