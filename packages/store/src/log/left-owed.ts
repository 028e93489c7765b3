import type { SessionStorage } from '../storage/storage.ts'

/** What a log still owed its file when it was closed: lines that can be read and may never reach the disk (D5). */
export interface Left {
  readonly owed: readonly Uint8Array[]
  /** How long the file was, and what stood at its end: another may come to have its number. */
  readonly size: number
  readonly lastBytes: Uint8Array
}

/** By file of a storage. In memory: a process that is killed leaves nothing of it. */
const leftIn = new WeakMap<SessionStorage, Map<string, Left>>()

export function leaveOwed(storage: SessionStorage, identity: string, left: Left): void {
  const byFile = leftIn.get(storage) ?? new Map<string, Left>()
  leftIn.set(storage, byFile)
  byFile.set(identity, left)
}

/** For whoever writes to the file next. */
export function leftOwed(storage: SessionStorage, identity: string): Left | undefined {
  return leftIn.get(storage)?.get(identity)
}

export function forgetOwed(storage: SessionStorage, identity: string): void {
  leftIn.get(storage)?.delete(identity)
}
