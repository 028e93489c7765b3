import type { Entry } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import type { Steps } from '../steps.ts'
import type { DialectRules } from './dialect.ts'
import { besideMessages, type PathView } from './path-view.ts'
import { changesState, everyOneCounts, StateReader } from './state.ts'

/**
 * The state at the end of a path (S23), reading as little as can be: of most kinds the last entry decides, so a session
 * of a million entries does not read all the models it ever had.
 */
export function* readState(path: PathView, rules: DialectRules): Steps<StateReader> {
  const every: number[] = []
  const byKind = new Map<Kind, number[]>()
  for (const position of besideMessages(path)) {
    const kind = path.kindAt(position)
    if (!changesState(kind)) continue
    if (addsUp(path, position, kind)) every.push(position)
    else addTo(byKind, kind, position)
  }
  const state = new StateReader(rules)
  let wanted = every
  for (const positions of byKind.values()) wanted.push(positions.pop()!)
  while (wanted.length > 0) {
    const read = yield wanted.sort((a, b) => a - b)
    const before: number[] = []
    for (const [i, position] of wanted.entries()) {
      const kind = path.kindAt(position)
      if (decides(state, read[i], kind) || addsUp(path, position, kind)) continue
      // What cannot be read or says nothing leaves it to the one before.
      const earlier = byKind.get(kind)?.pop()
      if (earlier !== undefined) before.push(earlier)
      else path.missBefore?.(kind)
    }
    wanted = before
  }
  return state
}

function addsUp(path: PathView, position: number, kind: Kind): boolean {
  return everyOneCounts(kind, path.roleAt(position))
}

function decides(state: StateReader, entry: Entry | undefined, kind: Kind): boolean {
  if (entry === undefined) return false
  const isUsable = state.read(entry, kind)
  // A tier nobody knows takes the one before it away.
  if (kind === Kind.service_tier_change) return true
  return isUsable && (kind !== Kind.model_change || state.hasModel)
}

function addTo(lists: Map<Kind, number[]>, kind: Kind, position: number): void {
  const list = lists.get(kind)
  if (list === undefined) lists.set(kind, [position])
  else list.push(position)
}
