import { isDeeperThan, MAX_DEPTH } from '../codec/depth.ts'
import { isObject } from '../context/json.ts'

/** What OpenAI and Anthropic accept as a tool's name and as a call's id. */
const ACCEPTED = /^[A-Za-z0-9_-]{1,64}$/

export function toolName(name: unknown): string {
  if (typeof name !== 'string' || name === '') return 'unknown_tool'
  return ACCEPTED.test(name) ? name : name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
}

/** Providers take an object. Anything else is shown to the model inside one; what is too deep to be sent is left out. */
export function readToolInput(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {}
  if (typeof input === 'object' && isDeeperThan(input, MAX_DEPTH)) return {}
  return isObject(input) ? input : { value: input }
}

/** Hands out call ids: each as stored where that is acceptable and new, else a name made from it, the same every time. */
export class CallIds {
  private readonly used = new Set<string>()
  /** The next number for a base that is taken, so that a thousand equal ids are not a thousand searches. */
  private readonly next = new Map<string, number>()

  claim(storedId: string): string {
    if (ACCEPTED.test(storedId) && !this.used.has(storedId)) {
      this.used.add(storedId)
      return storedId
    }
    const base = storedId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 48) || 'call'
    let n = this.next.get(base) ?? 1
    let id = base
    for (; this.used.has(id); n++) id = `${base}_${n + 1}`
    this.next.set(base, n)
    this.used.add(id)
    return id
  }
}
