import { crc32 } from './crc32.ts'
import { type Global, instantiate } from './instantiate.ts'
import { RUN_CRC } from './run-crc-wasm.ts'
import { zeroTail } from './seal.ts'

/** As long as a window, nearly. */
const MAX_LENGTH = 2 ** 18 - 2

interface Module {
  readonly memory: { readonly buffer: ArrayBuffer }
  setUp(tailOfZeros: number): void
  expected(lines: number): number
}

/**
 * What the checksum over many lines must be, from those they end with: one look at all their bytes then checks them all,
 * where a call for each would cost more than the checksums. By WebAssembly, as the scan is: it is needed once, by a
 * program that has just started. All who use it share its memory, so a window counts as long as nobody else has a turn.
 *
 * @example
 * records.forEach(({ start, end }, i) => run.place(i, start, end))
 * const areSound = run.expected(records.length) === crc32(linesOfThem)
 */
export class RunCrc {
  /** Where the lines are read to. */
  readonly window: Uint8Array
  private readonly module: Module
  private readonly ends: Int32Array
  private readonly lengths: Int32Array

  constructor() {
    const exports = instantiate(RUN_CRC)
    const place = (name: string): number => (exports[name] as Global).value
    this.module = exports as unknown as Module
    const { buffer } = this.module.memory
    this.window = new Uint8Array(buffer, place('WINDOW'), place('WINDOW_BYTES'))
    this.ends = new Int32Array(buffer, place('ENDS'), place('MAX_LINES'))
    this.lengths = new Int32Array(buffer, place('LENGTHS'), place('MAX_LINES'))
    this.module.setUp(crc32(zeroTail()))
  }

  /** Says where in the window a record is. False when it has no place in a run: too long, or one too many. */
  place(index: number, start: number, end: number): boolean {
    if (end - start > MAX_LENGTH || index >= this.ends.length) return false
    this.ends[index] = end
    this.lengths[index] = end - start
    return true
  }

  /** What the checksum over the first so many must be, each with a line end behind it. */
  expected(count: number): number {
    return this.module.expected(count) >>> 0
  }
}

let shared: { readonly runCrc: RunCrc | undefined } | undefined

/** The one of this program, made when first asked for. None where WebAssembly is forbidden: then each line is looked at. */
export function openRunCrc(): RunCrc | undefined {
  shared ??= { runCrc: create() }
  return shared.runCrc
}

function create(): RunCrc | undefined {
  try {
    return new RunCrc()
  } catch {
    return undefined
  }
}
