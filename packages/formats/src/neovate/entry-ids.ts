import { deriveEntryId } from '@treeline/core'
import { isUsableId } from '../foreign-ids.ts'
import { type Fields, isMessage } from './record.ts'

/**
 * The ids of the entries of one file. A message has its own wherever that is unique; of two the first has it (X20). What
 * is made up hangs on what does not change when the file grows, so that the same line gets the same id at every import.
 */
export class EntryIds {
  private readonly sessionId: string
  /** Of the file, so that nothing made up takes the place of a line further down. */
  private readonly own: Set<string>
  private readonly taken = new Set<string>()
  private readonly numbers = new Map<string, number>()
  private nameless = 0

  constructor(sessionId: string, records: Iterable<Fields | undefined>) {
    this.sessionId = sessionId
    this.own = new Set()
    for (const record of records) {
      if (record !== undefined && isMessage(record) && isUsableId(record.uuid)) this.own.add(record.uuid)
    }
  }

  /** Whether a message of the file has this id. */
  has(uuid: string): boolean {
    return this.own.has(uuid)
  }

  ofMessage(uuid: unknown): string {
    if (!isUsableId(uuid)) return this.free(() => deriveEntryId(this.sessionId, ++this.nameless))
    return this.taken.has(uuid) ? this.numbered(`${uuid}.d`, 2) : this.take(uuid)
  }

  /** For the parts of a line but its last. */
  ofPart(lineId: string): string {
    return this.numbered(`${lineId}.r`, 1)
  }

  /** For what is no message. */
  ofKept(name: string): string {
    return this.own.has(name) || this.taken.has(name) ? this.numbered(`${name}.`, 2) : this.take(name)
  }

  /** Goes on where it ended: a file may be one id, a million times. */
  private numbered(prefix: string, from: number): string {
    return this.free(() => {
      const number = this.numbers.get(prefix) ?? from
      this.numbers.set(prefix, number + 1)
      return prefix + number
    })
  }

  private free(propose: () => string): string {
    for (;;) {
      const id = propose()
      if (!this.own.has(id) && !this.taken.has(id)) return this.take(id)
    }
  }

  private take(id: string): string {
    this.taken.add(id)
    return id
  }
}
