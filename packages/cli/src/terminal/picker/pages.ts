export interface Page<T> {
  readonly items: readonly T[]
  /** Where the next one begins; nothing at the end. */
  readonly next: string | undefined
}

/** A list that is read page by page, as far as somebody looks. Class: it owns what it has read. */
export class Pages<T> {
  items: readonly T[] = []
  private readonly readPage: (after: string | undefined) => Promise<Page<T>>
  private after: string | undefined
  private isAtEnd = false
  private reading: Promise<boolean> | undefined

  constructor(readPage: (after: string | undefined) => Promise<Page<T>>) {
    this.readPage = readPage
  }

  /** Whether there may be more of them than were read. */
  get hasMore(): boolean {
    return !this.isAtEnd
  }

  get isReading(): boolean {
    return this.reading !== undefined
  }

  /** Reads the next page, once however many ask. False: there was none. */
  more(): Promise<boolean> {
    if (this.isAtEnd) return Promise.resolve(false)
    this.reading ??= this.read().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async read(): Promise<boolean> {
    const { items, next } = await this.readPage(this.after)
    this.items = [...this.items, ...items]
    this.after = next
    this.isAtEnd = next === undefined
    return true
  }
}

/** Of what nobody asked for. */
export function noPages<T>(): Pages<T> {
  return new Pages<T>(async () => ({ items: [], next: undefined }))
}
