import { deriveEntryId, type Entry } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { CopyPlan } from './copy-plan.ts'

/** Our numbers for lines of our own begin above those of entries that moved along with a node. */
const FIRST_NUMBER = 0x4000_0000

/**
 * Compares what the lines of a copy say about labels, the name and the leaf with what is so, and gives the lines that are
 * missing: edits may have changed any of it in a way that only Treeline reads.
 */
export class SaidLines {
  private readonly session: Session
  private readonly plan: CopyPlan
  /** As the lines say them, by how the tree keeps them: half a character is U+FFFD there. */
  private readonly ids = new Map<string, string>()
  private readonly labels = new Map<string, string>()
  /** As Pi knows it: from these lines alone. */
  private name: string | undefined
  private firstId: string | undefined
  private lastTime: string
  private number = FIRST_NUMBER

  constructor(session: Session, plan: CopyPlan) {
    this.session = session
    this.plan = plan
    this.lastTime = session.header.timestamp
  }

  /** A line that is being written. */
  note(entry: Entry): void {
    this.firstId ??= entry.id
    this.ids.set(entry.id.toWellFormed(), entry.id)
    if (typeof entry.timestamp === 'string') this.lastTime = entry.timestamp
    const { type, targetId, label, name } = entry
    if (type === 'label' && typeof targetId === 'string') {
      if (typeof label === 'string' && label !== '') this.labels.set(targetId, label)
      else this.labels.delete(targetId)
    }
    if (type === 'session_info') this.name = nameOf(name)
  }

  /** They hang under the leaf, and so end the copy there. A line that says again what is so does that too. */
  missing(landingId: string | null): Entry[] {
    const { session, plan, labels } = this
    const { edits } = session.tree
    const lines: Entry[] = []
    for (const [id, { label, at }] of edits.labels) {
      const targetId = this.ids.get(id)
      if (targetId !== undefined && labels.get(targetId) !== label) lines.push(this.labelLine(targetId, label, at))
    }
    for (const targetId of labels.keys()) {
      if (!edits.labels.has(targetId.toWellFormed())) lines.push(this.labelLine(targetId, undefined, this.lastTime))
    }
    if (this.name !== nameOf(session.name))
      lines.push(this.line('session_info', this.lastTime, { name: session.name ?? '' }))
    if (lines.length > 0 || landingId === plan.leafId || this.firstId === undefined) return lines
    const targetId = plan.leafId ?? this.firstId
    const known = edits.labels.get(targetId.toWellFormed())
    return [this.labelLine(targetId, known?.label, known?.at ?? this.lastTime)]
  }

  private labelLine(targetId: string, label: string | undefined, at: string): Entry {
    return this.line('label', at, { targetId, ...(label !== undefined && { label }) })
  }

  private line(type: string, timestamp: string, fields: Readonly<Record<string, unknown>>): Entry {
    let id: string
    do id = deriveEntryId(this.session.id, this.number++)
    while (this.ids.has(id))
    this.ids.set(id, id)
    return { type, id, parentId: this.plan.leafId, timestamp, ...fields }
  }
}

/** As Pi takes it: nothing but blanks is no name. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
