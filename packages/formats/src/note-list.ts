import type { FormatNote } from './note.ts'

/** A file that is broken throughout must not fill memory with notes. */
const MAX_NOTES = 1000

/** Collects notes: each by itself, or many of one kind as one. */
export class NoteList {
  private readonly notes: FormatNote[] = []
  private unlisted = 0
  private readonly counted = new Map<
    string,
    { readonly kind: FormatNote['kind']; readonly id: string | undefined; count: number }
  >()

  add(note: FormatNote): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(note)
    else this.unlisted++
  }

  /** Told once at the end, with how many there were and the first of them. `what` says what became of them. */
  count(kind: FormatNote['kind'], what: string, id?: string): void {
    const known = this.counted.get(what)
    if (known === undefined) this.counted.set(what, { kind, id, count: 1 })
    else known.count++
  }

  all(): readonly FormatNote[] {
    const counted = [...this.counted].map(([what, { kind, id, count }]): FormatNote => {
      return { kind, message: count === 1 ? `${what}.` : `${what} (${count} times).`, id }
    })
    const more: FormatNote = { kind: 'info', message: `${this.unlisted} more notes like these are not listed.` }
    return [...this.notes, ...counted, ...(this.unlisted > 0 ? [more] : [])]
  }
}
