import { createStorage } from '../storage/create-storage.ts'
import { MemoryDisk, type MemoryDiskOptions } from '../storage/memory-disk.ts'
import { newDir, ROOT_ID } from '../storage/memory-node.ts'
import { memoryDriver } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { CrashJournal } from './crash-storage-journal.ts'
import { surviveCrash } from './crash-storage-survivors.ts'

/** Numbers in [0, 1). Always 0 loses nothing (what kill -9 leaves), almost 1 loses everything that was not synced. */
export type Random = () => number

export interface CrashOptions {
  /** For `crash()` without a random of its own. */
  readonly seed?: number
  /** The world stops at the n-th operation that changes or syncs something: it and all after throw `Crashed`. */
  readonly crashAt?: number
}

/** A memory storage whose power can fail. */
export interface CrashStorage extends SessionStorage {
  /** How many operations have changed or synced something so far: the crash points of this run. */
  readonly operations: number
  readonly isStopped: boolean
  /** From now on every operation throws `Crashed`. */
  stop(): void
  /**
   * The disk as it might look after power loss at this moment; this storage is left as it is. Each unsynced write is
   * kept, torn, turned to garbage or zeros, or dropped, independently; unsynced creations, renames and removals are kept
   * up to some point in each folder. What the new storage holds is durable, and it can crash in turn.
   */
  crash(random?: Random, options?: CrashOptions): CrashStorage
}

export function createCrashStorage(options: CrashOptions = {}): CrashStorage {
  return createOn({ root: newDir(ROOT_ID), lastId: ROOT_ID }, options)
}

/** Mulberry32: small, and the same everywhere for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

function createOn(start: Required<Pick<MemoryDiskOptions, 'root' | 'lastId'>>, options: CrashOptions): CrashStorage {
  const journal = new CrashJournal(start.root, options.crashAt)
  const disk = new MemoryDisk({ ...start, observer: journal })
  const ownRandom = seededRandom(options.seed ?? 1)
  return {
    ...createStorage(memoryDriver(disk)),
    get operations() {
      return journal.operations
    },
    get isStopped() {
      return journal.isStopped
    },
    stop: () => journal.stop(),
    crash: (random = ownRandom, next = {}) =>
      createOn({ root: surviveCrash(journal, disk.root, random), lastId: disk.lastId }, next),
  }
}
