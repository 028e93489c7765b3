import { type Entry, Flag, Kind, preview, Role, withoutAttached } from '@treeline/core'
import type { Session } from '@treeline/store'
import { isWordless } from '../../drawing/read-view.ts'
import { t } from '../../output/language.ts'
import { entryText } from '../../transcript/entry-text.ts'

/** More than a line shows: it is also what a search looks through. */
const GRAPHEMES = 160
const BATCH = 128

/** How an answer ended, where it did not end well. */
export type BadEnd = 'failed' | 'cancelled'
const BAD_ENDS: ReadonlyMap<unknown, BadEnd> = new Map([
  ['error', 'failed'],
  ['aborted', 'cancelled'],
])

/** The beginnings of what the entries of one tree say, each read once. Class: it owns what it has read. */
export class PreviewCache {
  /** Another one whenever more was read. */
  version = 0
  /** Of what was read, the answers that only call tools. */
  readonly wordless = new Set<number>()
  private readonly session: Session
  /** By ref. Made in full, because rows in sight may well be the last ones, and lists with large gaps are slow. */
  private readonly texts: (string | undefined)[]
  /** As they are searched. The same string where there is nothing to lower. */
  private readonly lowered: (string | undefined)[]
  /** Answers that were not there yet. */
  private readonly waiting = new Set<number>()
  private readonly ends = new Map<number, BadEnd>()

  constructor(session: Session) {
    this.session = session
    this.texts = new Array(session.tree.ids.count)
    this.lowered = new Array(session.tree.ids.count)
  }

  /** `undefined` until it was read. */
  textOf(ref: number): string | undefined {
    return this.texts[ref]
  }

  loweredOf(ref: number): string | undefined {
    return this.lowered[ref]
  }

  badEndOf(ref: number): BadEnd | undefined {
    return this.ends.get(ref)
  }

  /** How many of them were read. */
  countRead(refs: Int32Array): number {
    let count = 0
    for (let i = 0; i < refs.length; i++) if (this.texts[refs[i]!] !== undefined) count++
    return count
  }

  /** Those of them that were not read yet, or were being generated and have come. */
  missing(refs: Iterable<number>): number[] {
    return [...refs].filter((ref) => this.texts[ref] === undefined || this.hasCome(ref))
  }

  /** In batches, so that keys are heard in between. `onBatch` may end it by saying false. */
  async read(refs: Iterable<number>, onBatch: () => boolean = () => true): Promise<void> {
    const missing = this.missing(refs)
    for (let start = 0; start < missing.length; start += BATCH) {
      await this.readBatch(missing.slice(start, start + BATCH))
      if (!onBatch()) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private async readBatch(refs: readonly number[]): Promise<void> {
    const { tree } = this.session
    const entries = await this.session.readEntries(refs.map((ref) => tree.ids.textOf(ref)))
    this.version++
    for (const [i, ref] of refs.entries()) {
      const entry = entries[i]
      if (entry !== undefined) this.noteEnd(ref, entry)
      const isWaiting = entry === undefined && tree.columns.has(ref, Flag.generating)
      if (isWaiting) this.waiting.add(ref)
      else this.waiting.delete(ref)
      this.keep(
        ref,
        entry === undefined
          ? isWaiting
            ? ''
            : t('(unreadable)')
          : preview(entryText(withoutAttached(entry)), GRAPHEMES),
      )
    }
  }

  private noteEnd(ref: number, entry: Entry): void {
    const { columns } = this.session.tree
    if (columns.kind[ref] !== Kind.message || columns.role[ref] !== Role.assistant) return
    if (isWordless(entry)) this.wordless.add(ref)
    const end = BAD_ENDS.get((entry.message as { readonly stopReason?: unknown } | undefined)?.stopReason)
    if (end !== undefined) this.ends.set(ref, end)
  }

  private hasCome(ref: number): boolean {
    return this.waiting.has(ref) && !this.session.tree.columns.has(ref, Flag.generating)
  }

  private keep(ref: number, text: string): void {
    // A part of a string holds on to all of it, which may be megabytes: through bytes and back it is its own.
    const own = Buffer.from(text).toString()
    this.texts[ref] = own
    const lower = own.toLowerCase()
    this.lowered[ref] = lower === own ? own : lower
  }
}
