import { join } from 'node:path'
import { type SessionStorage, type SessionStorageWriter, type StorageReader, storageError } from '@treeline/store'
import { isCost } from './entry-cost.ts'

const LINE_END = 0x0a
const CHUNK_BYTES = 64 * 1024
/** Longer ones are not ours. */
const MAX_LINE_CHARS = 4096
/** Other tools' ids may be anything. */
const MAX_ID_CHARS = 128

interface Note {
  readonly path: string
  readonly line: string
  readonly cost: number
}

/**
 * What was spent, one file for each day (local time) and one small line for each call, appended by all processes. Not
 * synced: what a power cut takes away are the last calls of one day.
 */
export class SpendLedger {
  private readonly storage: SessionStorage
  private readonly dir: string
  private today: DayTotal | undefined
  /** What could not be written yet. It counts here, and goes along with the next one. */
  private unwritten: readonly Note[] = []

  constructor(storage: SessionStorage, dir: string) {
    this.storage = storage
    this.dir = dir
  }

  /** Throws when it cannot be known: whoever has set a limit wants it kept. */
  total(nowMs: number): number {
    const path = this.fileOf(nowMs)
    if (this.today?.path !== path) this.today = new DayTotal(this.storage, path)
    return this.unwritten.reduce((sum, note) => sum + (note.path === path ? note.cost : 0), this.today.read())
  }

  /** Never throws: what cannot be written now is kept. */
  add(nowMs: number, sessionId: string, cost: number): void {
    const at = new Date(nowMs).toISOString()
    const line = JSON.stringify({ at, sessionId: sessionId.slice(0, MAX_ID_CHARS), cost })
    const notes = [...this.unwritten, { path: this.fileOf(nowMs), line, cost }]
    const failed = notes.findIndex((note) => !this.write(note))
    this.unwritten = failed < 0 ? [] : notes.slice(failed)
  }

  private write({ path, line }: Note): boolean {
    let file: SessionStorageWriter | undefined
    try {
      this.storage.ensureDirSync(this.dir)
      file = this.storage.openWriter(path, { flags: 'a' })
      appendLine(file, line)
      return true
    } catch {
      // The answer matters more than its price; `unwritten` holds it, and a limit counts it.
      return false
    } finally {
      closeQuietly(file)
    }
  }

  private fileOf(nowMs: number): string {
    const date = new Date(nowMs)
    const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
    return join(this.dir, `${date.getFullYear()}-${month}-${day}.jsonl`)
  }
}

/** Of one day, read as far as whole lines go; each once. */
class DayTotal {
  readonly path: string
  private readonly storage: SessionStorage
  private identity = ''
  private position = 0
  private spent = 0

  constructor(storage: SessionStorage, path: string) {
    this.storage = storage
    this.path = path
  }

  read(): number {
    let file: StorageReader | undefined
    try {
      file = this.storage.openReader(this.path)
      this.readNew(file)
      return this.spent
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return 0
      throw storageError(error, 'What was spent today cannot be known, and there is a limit to it', this.path)
    } finally {
      file?.closeSync()
    }
  }

  private readNew(file: StorageReader): void {
    const { size, identity } = file.statSync()
    if (identity !== this.identity || size < this.position) {
      this.identity = identity
      this.position = 0
      this.spent = 0
    }
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.position))
    while (this.position < size) {
      const length = file.readSync(chunk, this.position)
      const end = chunk.subarray(0, length).lastIndexOf(LINE_END) + 1
      for (const line of chunk.toString('utf8', 0, end).split('\n')) this.spent += readLine(line)
      // A line on its way is read when it is whole; one that fills a chunk is nobody's.
      if (end === 0 && length < CHUNK_BYTES) return
      this.position += end === 0 ? length : end
    }
  }
}

/** 0 for what is torn, foreign or nonsense. */
function readLine(line: string): number {
  if (line === '' || line.length > MAX_LINE_CHARS) return 0
  try {
    const { cost } = (JSON.parse(line) ?? {}) as { readonly cost?: unknown }
    return isCost(cost) ? cost : 0
  } catch {
    // Torn by a kill; the others stand for themselves.
    return 0
  }
}

/** In one write, and on a line of its own whatever a killed process left. What comes out short is a torn line. */
function appendLine(file: SessionStorageWriter, line: string): void {
  const { size } = file.statSync()
  const last = new Uint8Array(1)
  const isTorn = size > 0 && file.readSync(last, size - 1) === 1 && last[0] !== LINE_END
  const bytes = Buffer.from(`${isTorn ? '\n' : ''}${line}\n`)
  const written = file.writeSync(bytes)
  if (written < bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`)
}

function closeQuietly(file: StorageReader | undefined): void {
  try {
    file?.closeSync()
  } catch {
    // What was written has been told already.
  }
}
