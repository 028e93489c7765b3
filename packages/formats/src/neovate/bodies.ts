import type { Entry, Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from '../note.ts'
import { readFullEntry } from '../transcript/full-entry.ts'

/** How many are read at a time. */
export const BATCH = 128

/** Bodies of entries, images and long texts in place, those that will be asked for next in one read. */
export class Bodies {
  private readonly session: Session
  private readonly tree: Tree
  private readonly notes: FormatNote[]
  private readonly ahead = new Map<string, Entry>()

  constructor(session: Session, tree: Tree, notes: FormatNote[]) {
    this.session = session
    this.tree = tree
    this.notes = notes
  }

  async readAhead(refs: readonly number[]): Promise<void> {
    this.ahead.clear()
    for (const entry of await this.readStored(refs)) if (entry !== undefined) this.ahead.set(entry.id, entry)
  }

  /** As they are stored. */
  readStored(refs: readonly number[]): Promise<(Entry | undefined)[]> {
    return this.session.readEntries(refs.map((ref) => this.idOf(ref)))
  }

  readonly read = async (id: string): Promise<Entry | undefined> => {
    const entry = this.ahead.get(id) ?? (await this.session.readEntry(id))
    return entry && readFullEntry(this.session, entry, this.notes)
  }

  readRef(ref: number): Promise<Entry | undefined> {
    return this.read(this.idOf(ref))
  }

  idOf(ref: number): string {
    return this.tree.ids.textOf(ref)
  }
}
