import { crc32 } from './crc32.ts'
import { type Global, instantiate } from './instantiate.ts'
import { RUN_CRC } from './run-crc-wasm.ts'
import { zeroTail } from './seal.ts'

interface Module {
  readonly memory: { readonly buffer: ArrayBuffer }
  setUp(tailOfZeros: number): void
  expected(lines: number, start: number, end: number): number
}

/**
 * What the checksum over many lines must be, from those they end with: one look at all their bytes then checks them all,
 * where a call for each would cost more than the checksums. By WebAssembly, as the scan is: it is needed once, by a
 * program that has just started.
 *
 * @example
 * using run = takeRunCrc()
 * const areSound = run?.expected(lines, [lengths]) === crc32(lines)
 */
export class RunCrc {
  /** Where lines are read to. */
  readonly windows: readonly [Uint8Array, Uint8Array]
  readonly maxLines: number
  private readonly module: Module
  private readonly lengths: Uint32Array

  constructor() {
    const exports = instantiate(RUN_CRC)
    const constant = (name: string): number => (exports[name] as Global).value
    this.module = exports as unknown as Module
    const { buffer } = this.module.memory
    const [at, size] = [constant('WINDOWS'), constant('WINDOW_BYTES')]
    this.windows = [new Uint8Array(buffer, at, size), new Uint8Array(buffer, at + size, size)]
    this.maxLines = constant('MAX_LINES')
    this.lengths = new Uint32Array(buffer, constant('LENGTHS'), this.maxLines)
    this.module.setUp(crc32(zeroTail()))
  }

  /**
   * What the checksum over lines in a window must be, whose records have these lengths, one list behind the other, at
   * most `maxLines`; -1 when they have others, or one is too long to tell.
   */
  expected(lines: Uint8Array, lengths: readonly Uint32Array[]): number {
    let count = 0
    for (const some of lengths) {
      this.lengths.set(some, count)
      count += some.length
    }
    return this.module.expected(count, lines.byteOffset, lines.byteOffset + lines.length)
  }

  /** For the next who takes one. */
  [Symbol.dispose](): void {
    idle = this
  }
}

let idle: RunCrc | undefined

/** One that nobody else uses until it is disposed of. None where WebAssembly is forbidden: then each line is looked at. */
export function takeRunCrc(): RunCrc | undefined {
  const taken = idle ?? create()
  idle = undefined
  return taken
}

function create(): RunCrc | undefined {
  try {
    return new RunCrc()
  } catch {
    return undefined
  }
}
