import {
  EDIT_TYPE,
  GENERATION_TYPE,
  Kind,
  kindOf,
  Role,
  roleOf,
  TREELINE_PREFIX,
  treeReadsBody,
} from '../entry/kind.ts'
import { BEFORE_CLOSE, PARENT, SPLICE } from './framing.ts'
import type { Heads, RowBlock } from './heads.ts'
import { type Global, instantiate } from './instantiate.ts'
import { HEAD_TEXTS, NO_PARENT } from './match-head.ts'
import { SCAN_LINES } from './scan-lines-wasm.ts'

/** In the order in which wasm/scan-lines.ts has them. */
const TEXTS = [
  HEAD_TEXTS.type,
  HEAD_TEXTS.id,
  HEAD_TEXTS.parent,
  NO_PARENT,
  HEAD_TEXTS.timestamp,
  HEAD_TEXTS.role,
  HEAD_TEXTS.customType,
  PARENT,
  SPLICE,
  '\n',
]
const SLOT_BYTES = 32
/** In a slot of a name, after its length, its meaning and how to go on. */
const NAME_AT = 4
const encoder = new TextEncoder()
/** How the module goes on after a name. */
const Next = { plain: 0, message: 1, custom: 2, parsed: 3 } as const
type Name = readonly [name: string, meaning: number, next?: number]

const KINDS: readonly Name[] = [
  ...Object.keys(Kind)
    .filter((name) => kindOf(name) !== Kind.other)
    .map((name) => [name, kindOf(name), nextOf(name)] as const),
  // A header never is an entry, however much it looks like one.
  ['session', Kind.other, Next.parsed],
]
const ROLES: readonly Name[] = [...Object.keys(Role), 'hookMessage'].map((name) => [name, roleOf(name)])
const CUSTOM_TYPES: readonly Name[] = [
  [EDIT_TYPE, Kind.edit, Next.parsed],
  [GENERATION_TYPE, Kind.generation, Next.parsed],
  [TREELINE_PREFIX, Kind.treeline],
]

interface Module {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly rowCount: Global
  readonly idByteCount: Global
  scanLines(start: number, end: number, base: number, line: number, idsBefore: number): number
}

/**
 * The lines of a chunk by WebAssembly, which needs no warming up. It takes the lines of usual shape and leaves every
 * other to `HeadScanner`. All scanners of a program share its memory: what is in there counts until the next `place`.
 */
export class LineScanner {
  /** Room for a chunk: what is read into it need not be copied. */
  readonly input: Uint8Array
  private readonly module: Module
  private readonly memory: Uint8Array
  private readonly rows: RowBlock

  constructor() {
    const exports = instantiate(SCAN_LINES)
    const place = (name: string): number => (exports[name] as Global).value
    const { buffer } = (exports as unknown as Module).memory
    const maxRows = place('MAX_ROWS')
    this.module = exports as unknown as Module
    this.memory = new Uint8Array(buffer)
    this.input = new Uint8Array(buffer, place('CHUNK'), place('CHUNK_BYTES'))
    this.rows = {
      kind: new Uint8Array(buffer, place('KIND'), maxRows),
      role: new Uint8Array(buffer, place('ROLE'), maxRows),
      parentForm: new Uint8Array(buffer, place('PARENT_FORM'), maxRows),
      line: new Uint32Array(buffer, place('LINE'), maxRows),
      length: new Uint32Array(buffer, place('LENGTH'), maxRows),
      offset: new Float64Array(buffer, place('OFFSET'), maxRows),
      timeMs: new Float64Array(buffer, place('TIME_MS'), maxRows),
      idEnd: new Uint32Array(buffer, place('ID_END'), maxRows * 2),
      idBytes: new Uint8Array(buffer, place('ID_BYTES')),
    }
    for (const [i, text] of TEXTS.entries()) this.write(text, place('TEXTS') + i * SLOT_BYTES)
    for (const byte of encoder.encode(BEFORE_CLOSE)) this.memory[place('BEFORE_CLOSE') + byte] = 1
    this.writeNames(KINDS, place('KINDS'), Kind.other)
    this.writeNames(ROLES, place('ROLES'), Role.other)
    this.writeNames(CUSTOM_TYPES, place('CUSTOM_TYPES'), Kind.custom)
  }

  /** The longest beginning of a line that can stand before a chunk. */
  get maxBeginBytes(): number {
    return this.input.byteOffset
  }

  /** The beginning of a line and the chunk that goes on with it, in the module's memory. */
  place(begin: Uint8Array, chunk: Uint8Array): Uint8Array {
    const { input, memory } = this
    const isThere = chunk.buffer === input.buffer && chunk.byteOffset === input.byteOffset
    if (!isThere) input.set(chunk)
    memory.set(begin, input.byteOffset - begin.length)
    return memory.subarray(input.byteOffset - begin.length, input.byteOffset + chunk.length)
  }

  /**
   * Adds rows for the lines of `bytes`, which `place` gave, from `start` on. Returns where it stopped: at the end or at a
   * line for somebody else. `base` is the offset of `bytes[0]` in the log, `line` the number of the line at `start`.
   */
  scan(bytes: Uint8Array, start: number, heads: Heads, base: number, line: number): number {
    const { module, rows } = this
    const first = bytes.byteOffset
    const stop = module.scanLines(first + start, first + bytes.length, base - first, line, heads.idByteCount)
    const count = module.rowCount.value
    if (count > 0) heads.pushRows(firstRows(rows, count, module.idByteCount.value))
    return stop - first
  }

  private write(text: string, at: number): void {
    this.memory.set(encoder.encode(text), at)
  }

  private writeNames(names: readonly Name[], at: number, unknown: number): void {
    for (const [i, [name, meaning, next = Next.plain]] of names.entries()) {
      this.memory.set([name.length, meaning, next], at + i * SLOT_BYTES)
      this.write(name, at + i * SLOT_BYTES + NAME_AT)
    }
    this.memory[at + names.length * SLOT_BYTES + 1] = unknown
  }
}

/** None where a page or an old engine forbids it: then every line is taken by `HeadScanner`, to the same effect. */
export function createLineScanner(): LineScanner | undefined {
  try {
    return new LineScanner()
  } catch {
    return undefined
  }
}

let shared: { readonly scanner: LineScanner | undefined } | undefined

/** The one of this program, made when first asked for. */
export function openLineScanner(): LineScanner | undefined {
  shared ??= { scanner: createLineScanner() }
  return shared.scanner
}

function nextOf(name: string): number {
  if (name === 'message') return Next.message
  if (name === 'custom') return Next.custom
  // Whether a model change names a role stands anywhere in the line.
  return name === 'model_change' || treeReadsBody(kindOf(name)) ? Next.parsed : Next.plain
}

function firstRows(rows: RowBlock, count: number, idByteCount: number): RowBlock {
  return {
    kind: rows.kind.subarray(0, count),
    role: rows.role.subarray(0, count),
    parentForm: rows.parentForm.subarray(0, count),
    line: rows.line.subarray(0, count),
    length: rows.length.subarray(0, count),
    offset: rows.offset.subarray(0, count),
    timeMs: rows.timeMs.subarray(0, count),
    idEnd: rows.idEnd.subarray(0, count * 2),
    idBytes: rows.idBytes.subarray(0, idByteCount),
  }
}
