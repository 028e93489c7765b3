import { type Column, PAGE_BYTES, type SectionReader } from './sections.ts'

/** Single values of a saved column: a page of it is read, and checked, when one of its values is first asked for. */
export class PagedColumn<T extends Column> {
  private readonly from: SectionReader
  private readonly name: string
  private readonly make: (length: number) => T
  private readonly length: number
  private readonly pages: (T | undefined)[] = []
  private readonly perPage: number

  constructor(
    from: SectionReader,
    name: string,
    array: { new (length: number): T; readonly BYTES_PER_ELEMENT: number },
    length: number,
  ) {
    this.from = from
    this.name = name
    this.make = (length) => new array(length)
    this.length = length
    this.perPage = PAGE_BYTES / array.BYTES_PER_ELEMENT
  }

  /** `index` is below the length of the column. */
  at(index: number): number {
    const page = Math.trunc(index / this.perPage)
    const values = this.pages[page] ?? this.load(page)
    return values[index - page * this.perPage]!
  }

  /** The values `[start, end)`, which are in one page. */
  part(start: number, end: number): T {
    const page = Math.trunc(start / this.perPage)
    const first = page * this.perPage
    return (this.pages[page] ?? this.load(page)).subarray(start - first, end - first) as T
  }

  private load(page: number): T {
    const first = page * this.perPage
    const values = this.make(Math.min(this.perPage, this.length - first))
    this.from.readPage(this.name, values, this.length, first)
    this.pages[page] = values
    return values
  }
}
