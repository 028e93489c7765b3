import { readWhole, refuseSaved } from './saved-json.ts'

/** A named range of bytes of a snapshot. */
export interface Section {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Sections are read whole, or in whole pages: who keeps them keeps a checksum of each page, so that a part can be checked. */
export const PAGE_BYTES = 32 * 1024

/** Fills `into` with the bytes of the section of this name, from its first byte or from `at` on, where a page begins. */
export type ReadSection = (name: string, into: Uint8Array, at?: number) => void

export type Column = Uint8Array | Int32Array | Uint32Array | Float64Array

/** Sections on their way out. Empty ones are left out. */
export class SectionWriter {
  readonly sections: Section[] = []

  add(name: string, column: Column): void {
    if (column.length > 0) this.sections.push({ name, bytes: bytesOf(column, column.length) })
  }

  sizes(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.sections.map(({ name, bytes }) => [name, bytes.length]))
  }
}

/** Sections on their way in: each is as long as was said when it was saved, and no longer than it can be. */
export class SectionReader {
  private readonly sizes: Readonly<Record<string, unknown>>
  private readonly read: ReadSection
  private readonly onRefused: () => void

  constructor(sizes: Readonly<Record<string, unknown>>, read: ReadSection, onRefused: () => void = () => {}) {
    this.sizes = sizes
    this.read = read
    this.onRefused = onRefused
  }

  /** As `refuseSaved`. Who keeps the sections is told, so that nobody is handed them again. */
  refuse(what: string): never {
    this.onRefused()
    return refuseSaved(what)
  }

  /** Reads a section of just `length` values straight into its column. */
  fill(name: string, column: Column, length: number): void {
    const bytes = bytesOf(column, length)
    if (this.sizeOf(name) !== bytes.length) refuseSaved(`${name} is of the wrong length`)
    if (bytes.length > 0) this.read(name, bytes)
  }

  /** Reads the values of a section of `length` values from `from` on, where a page begins: as many as `page` holds. */
  readPage(name: string, page: Column, length: number, from: number): void {
    const size = page.BYTES_PER_ELEMENT
    if (this.sizeOf(name) !== length * size) this.refuse(`${name} is of the wrong length`)
    this.read(name, bytesOf(page, page.length), from * size)
  }

  readBytes(name: string): Uint8Array {
    const bytes = allocate(() => new Uint8Array(this.sizeOf(name)), name)
    this.fill(name, bytes, bytes.length)
    return bytes
  }

  readInts(name: string): Int32Array {
    const list = allocate(() => new Int32Array(this.sizeOf(name) / 4), name)
    this.fill(name, list, list.length)
    return list
  }

  readNumbers(name: string): Float64Array {
    const list = allocate(() => new Float64Array(this.sizeOf(name) / 8), name)
    this.fill(name, list, list.length)
    return list
  }

  private sizeOf(name: string): number {
    return Object.hasOwn(this.sizes, name) ? readWhole(this.sizes[name]) : 0
  }
}

/** A size no array can have is a damaged size. */
function allocate<T>(make: () => T, name: string): T {
  try {
    return make()
  } catch {
    return refuseSaved(`${name} is of an impossible length`)
  }
}

function bytesOf(column: Column, length: number): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, length * column.BYTES_PER_ELEMENT)
}
