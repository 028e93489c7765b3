import { errnoError } from '../storage/errno.ts'

export type CallKind =
  | 'open'
  | 'read'
  | 'write'
  | 'truncate'
  | 'datasync'
  | 'fsync'
  | 'stat'
  | 'list'
  | 'mkdir'
  | 'rename'
  | 'unlink'
  | 'rmdir'
  | 'touch'
  | 'syncDir'

export interface StorageCall {
  readonly kind: CallKind
  readonly path: string
}

/** `error` before anything happened, `error-after` it did; `short` writes that many bytes and says so. */
export type Outcome =
  | { readonly type: 'error' | 'error-after'; readonly code: string }
  | { readonly type: 'short'; readonly bytes: number }

export interface Fault {
  /** Counted from 1 among the calls of these kinds, since the plan was made or armed. */
  readonly nth: number
  /** Any kind when absent; always `write` for a short one. */
  readonly kinds?: readonly CallKind[]
  readonly outcome: Outcome
  /** `until-healed`: all calls from the n-th on. After a short write that is a full disk: the next write says ENOSPC. */
  readonly lasts?: 'once' | 'until-healed'
}

/** Which call fails and how. Records every call, so that a run without a fault tells how many there are to try. */
export class FaultPlan {
  readonly calls: StorageCall[] = []
  #fault: Fault | undefined
  #matched = 0

  constructor(fault?: Fault) {
    this.#fault = fault
  }

  /** Whether the fault has happened: a test that asks for one which never came tests nothing. */
  get hasStruck(): boolean {
    return this.#fault !== undefined && this.#matched >= this.#fault.nth
  }

  /** Counting starts anew; `calls` goes on. */
  arm(fault: Fault): void {
    this.#fault = fault
    this.#matched = 0
  }

  heal(): void {
    this.#fault = undefined
  }

  next(kind: CallKind, path: string): Outcome | undefined {
    this.calls.push({ kind, path })
    const fault = this.#fault
    if (!fault || !isMeant(fault, kind)) return undefined
    this.#matched++
    if (this.#matched === fault.nth) return fault.outcome
    if (this.#matched < fault.nth || fault.lasts !== 'until-healed') return undefined
    return fault.outcome.type === 'short' ? { type: 'error', code: 'ENOSPC' } : fault.outcome
  }

  /** A step of which nothing is seen when it fails. */
  step(kind: CallKind, path: string): void {
    const outcome = this.next(kind, path)
    if (outcome?.type === 'short') this.step(kind, path)
    else if (outcome) throw errnoError(outcome.code, kind, path)
  }

  run<T>(kind: CallKind, path: string, effect: () => T): T {
    const outcome = this.next(kind, path)
    if (outcome?.type === 'error') throw errnoError(outcome.code, kind, path)
    const result = effect()
    if (outcome?.type === 'error-after') throw errnoError(outcome.code, kind, path)
    return result
  }

  async runAsync<T>(kind: CallKind, path: string, effect: () => Promise<T>): Promise<T> {
    const outcome = this.next(kind, path)
    if (outcome?.type === 'error') throw errnoError(outcome.code, kind, path)
    const result = await effect()
    if (outcome?.type === 'error-after') throw errnoError(outcome.code, kind, path)
    return result
  }
}

function isMeant(fault: Fault, kind: CallKind): boolean {
  if (fault.outcome.type === 'short') return kind === 'write'
  return fault.kinds === undefined || fault.kinds.includes(kind)
}
