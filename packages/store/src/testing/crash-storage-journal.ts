import type { DiskObserver, EntryChange } from '../storage/memory-disk.ts'
import { cutAt, type MemoryDir, type MemoryFile, type MemoryNode, newFile, writeAt } from '../storage/memory-node.ts'

/** Thrown by every operation once the world has stopped. */
export class Crashed extends Error {
  override readonly name = 'Crashed'

  constructor() {
    super('the storage has crashed; nothing happens on it any more')
  }
}

/** A write or cut that no sync has covered yet. */
export type PendingWrite =
  | { readonly type: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly type: 'cut'; readonly size: number }

interface FileState {
  /** What is certainly on the disk. */
  readonly durable: MemoryFile
  readonly pending: PendingWrite[]
  /** How many were pending once and are durable now: gives each pending one a number that stays. */
  settled: number
}

interface PendingChange {
  readonly number: number
  readonly changes: readonly EntryChange[]
}

/** Keeps account of what a memory disk would still have after power loss. */
export class CrashJournal implements DiskObserver {
  operations = 0
  isStopped = false
  readonly #crashAt: number
  readonly #files = new Map<MemoryFile, FileState>()
  readonly #entries = new Map<MemoryDir, Map<string, MemoryNode>>()
  #pendingChanges: PendingChange[] = []
  #lastChange = 0

  constructor(root: MemoryDir, crashAt = Number.POSITIVE_INFINITY) {
    this.#crashAt = crashAt
    this.#adopt(root)
  }

  stop(): void {
    this.isStopped = true
  }

  before(operation: 'reads' | 'changes'): void {
    if (operation === 'changes' && !this.isStopped) {
      this.operations++
      if (this.operations >= this.#crashAt) this.stop()
    }
    this.#throwIfStopped()
  }

  wrote(file: MemoryFile, position: number, bytes: Uint8Array): void {
    this.stateOf(file).pending.push({ type: 'write', position, bytes: bytes.slice() })
  }

  cut(file: MemoryFile, size: number): void {
    this.stateOf(file).pending.push({ type: 'cut', size })
  }

  changed(changes: readonly EntryChange[]): void {
    this.#pendingChanges.push({ number: ++this.#lastChange, changes })
  }

  syncing(node: MemoryNode): () => void {
    return node.kind === 'file' ? this.#syncingFile(node) : this.#syncingDir(node)
  }

  stateOf(file: MemoryFile): FileState {
    const known = this.#files.get(file)
    if (known) return known
    const state = { durable: newFile(file.id), pending: [], settled: 0 }
    this.#files.set(file, state)
    return state
  }

  /** The durable names of every folder, as copies to work on. */
  durableEntries(): Map<MemoryDir, Map<string, MemoryNode>> {
    return new Map([...this.#entries].map(([dir, entries]) => [dir, new Map(entries)]))
  }

  get pendingChanges(): readonly (readonly EntryChange[])[] {
    return this.#pendingChanges.map((pending) => pending.changes)
  }

  #syncingFile(file: MemoryFile): () => void {
    const state = this.stateOf(file)
    const end = state.settled + state.pending.length
    return () => {
      this.#throwIfStopped()
      const covered = state.pending.splice(0, end - state.settled)
      for (const write of covered) applyWrite(state.durable, write)
      state.settled += covered.length
    }
  }

  /**
   * Of a move between folders the new name may be durable before the old one is gone, so that there are two; never the
   * other way round, so that there is none: with the loss of a name all that it depends on becomes durable.
   */
  #syncingDir(dir: MemoryDir): () => void {
    const last = this.#lastChange
    return () => {
      this.#throwIfStopped()
      const dirs = new Set([dir])
      const durable: EntryChange[][] = []
      const pending: PendingChange[] = []
      for (const { number, changes } of this.#pendingChanges.toReversed()) {
        const isCovered = number <= last
        if (isCovered && changes.some((change) => !change.node && dirs.has(change.dir))) {
          for (const change of changes) dirs.add(change.dir)
        }
        const now = changes.filter((change) => isCovered && dirs.has(change.dir))
        const later = changes.filter((change) => !now.includes(change))
        if (now.length > 0) durable.unshift(now)
        if (later.length > 0) pending.unshift({ number, changes: later })
      }
      for (const changes of durable) applyChanges(this.#entries, changes)
      this.#pendingChanges = pending
    }
  }

  #adopt(node: MemoryNode): void {
    if (node.kind === 'file') {
      writeAt(this.stateOf(node).durable, 0, node.bytes.subarray(0, node.size))
    } else {
      this.#entries.set(node, new Map(node.entries))
      for (const below of node.entries.values()) this.#adopt(below)
    }
  }

  #throwIfStopped(): void {
    if (this.isStopped) throw new Crashed()
  }
}

function applyWrite(file: MemoryFile, write: PendingWrite): void {
  if (write.type === 'write') writeAt(file, write.position, write.bytes)
  else cutAt(file, write.size)
}

export function applyChanges(all: Map<MemoryDir, Map<string, MemoryNode>>, changes: readonly EntryChange[]): void {
  for (const { dir, name, node } of changes) {
    const entries = all.get(dir) ?? new Map<string, MemoryNode>()
    all.set(dir, entries)
    if (node) entries.set(name, node)
    else entries.delete(name)
  }
}
