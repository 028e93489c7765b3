import type { Entry } from '@treeline/core'
import type { Session } from '@treeline/store'
import { BATCH, type Bodies } from './bodies.ts'
import type { LineSink } from './line-sink.ts'
import { isFields, KEPT_LINE, keptOf } from './record.ts'
import { restoreJson } from './restore-record.ts'
import { currentSettings } from './settings.ts'

/** Lines of the file that were no messages: settings, and what nobody knows. */
export class KeptLines {
  private readonly session: Session
  private readonly bodies: Bodies
  private readonly out: LineSink
  private readonly known = new Map<number, { readonly isFirst: boolean }>()
  /** Of the settings each import of a file that has changed says them anew: where they stand, and who says them last. */
  private settings: { readonly place: number; readonly latest: number } | undefined

  private constructor(session: Session, bodies: Bodies, out: LineSink) {
    this.session = session
    this.bodies = bodies
    this.out = out
  }

  static async read(session: Session, refs: readonly number[], bodies: Bodies, out: LineSink): Promise<KeptLines> {
    const lines = new KeptLines(session, bodies, out)
    for (let from = 0; from < refs.length; from += BATCH) {
      const some = refs.slice(from, from + BATCH)
      for (const [i, entry] of (await bodies.readStored(some)).entries()) lines.learn(some[i]!, entry)
    }
    return lines
  }

  get isEmpty(): boolean {
    return this.known.size === 0
  }

  get hasSettings(): boolean {
    return this.settings !== undefined
  }

  /** Those from before the first message. */
  async writeFirst(): Promise<void> {
    for (const [ref, { isFirst }] of this.known) if (isFirst) await this.writeLine(ref)
  }

  /** One from between the messages. */
  async write(ref: number): Promise<void> {
    if (this.known.get(ref)?.isFirst === false) await this.writeLine(ref)
  }

  private async writeLine(ref: number): Promise<void> {
    const { place, latest } = this.settings ?? {}
    const entry = await this.bodies.readRef(ref === place ? latest! : ref)
    const kept = keptOf(entry)
    if (entry === undefined || kept === undefined) return
    const line = await restoreJson(entry, this.bodies.read)
    const { settings, json } = kept
    if (Array.isArray(settings) && isFields(line)) await this.out.put(currentSettings(this.session, line, settings))
    else if (line !== undefined) await this.out.put(line, json)
  }

  private learn(ref: number, entry: Entry | undefined): void {
    const kept = entry?.customType === KEPT_LINE ? keptOf(entry) : undefined
    if (kept === undefined) return
    const isSettings = kept.settings !== undefined
    const place = isSettings ? (this.settings?.place ?? ref) : ref
    if (isSettings) this.settings = { place, latest: ref }
    this.known.set(place, { isFirst: kept.isFirst === true })
  }
}
