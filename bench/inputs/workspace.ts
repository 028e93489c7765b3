import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TMPFS = 0x01021994
/** Room that stays free, for what the sides write while they are measured. */
const SPARE_BYTES = 500_000_000

/** The folder on disk in which one run keeps its inputs. Class: it opens and closes. */
export class Workspace implements Disposable {
  readonly folder: string
  private readonly inputs = new Map<string, unknown>()
  private readonly fresh: string[] = []
  private folders = 0
  private readonly remove = (): void => rmSync(this.folder, { recursive: true, force: true })
  private readonly stop = (): never => process.exit(130)

  constructor() {
    const parent = process.env.TREELINE_BENCH_DIR ?? tmpdir()
    mkdirSync(parent, { recursive: true })
    this.folder = mkdtempSync(join(parent, 'treeline-bench-'))
    process.on('exit', this.remove)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.stop)
  }

  /** True where syncing costs nothing, so that rows about it say nothing. */
  get isInMemory(): boolean {
    return statfsSync(this.folder).type === TMPFS
  }

  /** The input of this name, made at the first call. Throws when the disk has no room for `sizeBytes`. */
  input<T>(name: string, sizeBytes: number, make: (folder: string) => T): T {
    if (!this.inputs.has(name)) {
      this.checkRoom(name, sizeBytes)
      this.inputs.set(name, make(this.makeFolder(name)))
    }
    return this.inputs.get(name) as T
  }

  /** An empty folder that is gone after the measurement. */
  freshFolder(): string {
    const folder = this.makeFolder(`fresh-${++this.folders}`)
    this.fresh.push(folder)
    return folder
  }

  removeFresh(): void {
    for (const folder of this.fresh.splice(0)) rmSync(folder, { recursive: true, force: true })
  }

  [Symbol.dispose](): void {
    this.remove()
    process.off('exit', this.remove)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.stop)
  }

  private makeFolder(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder)
    return folder
  }

  private checkRoom(name: string, sizeBytes: number): void {
    const { bavail, bsize } = statfsSync(this.folder)
    if (bavail * bsize >= sizeBytes + SPARE_BYTES) return
    const [free, needed] = [bavail * bsize, sizeBytes + SPARE_BYTES].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`)
    throw new Error(
      `The input ${name} needs ${needed} in ${this.folder}, where ${free} are free. ` +
        'Make room, or set TREELINE_BENCH_DIR to a folder on a larger disk.',
    )
  }
}
