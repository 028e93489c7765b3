import type { FlatEntry } from './flat-entry.ts'
import { type Links, linkEntries, NONE } from './links.ts'

/**
 * The `tool_call` entries that no `tool_result` below them answers, in entry order (P17). A result that names a
 * `toolCallId` in its metadata answers the nearest call of that id above it, so parallel and chained calls are told
 * apart (X65) and the same id on another branch is another call. Where either side has no id, the result answers its
 * parent if that is a call, else the nearest call without an id above it that is still open on its path.
 */
export function findIncompleteToolCalls<E extends FlatEntry>(entries: readonly E[]): E[] {
  const links = linkEntries(entries)
  const answered = new Uint8Array(entries.length)
  for (const root of links.roots) markAnswered(entries, links, root, answered)
  return [...links.positionOf.values()]
    .filter((position) => entries[position]!.type === 'tool_call' && answered[position] === 0)
    .map((position) => entries[position]!)
}

/** Open calls without an id, nearest first. Shared between branches, hence never changed. */
interface OpenCalls {
  readonly call: number
  readonly rest: OpenCalls | undefined
}

function markAnswered(entries: readonly FlatEntry[], links: Links, root: number, answered: Uint8Array): void {
  const { parent, firstChild, nextSibling } = links
  /** Calls with an id above the entry at hand, nearest last. */
  const named = new Map<string, number[]>()
  const openBelow = new Map<number, OpenCalls | undefined>()

  const enter = (at: number): void => {
    const { type } = entries[at]!
    const above = openBelow.get(parent[at]!)
    openBelow.set(at, above)
    if (type !== 'tool_call' && type !== 'tool_result') return
    const callId = toolCallIdOf(entries[at]!)
    if (type === 'tool_call') {
      if (callId === undefined) openBelow.set(at, { call: at, rest: above })
      else if (!named.get(callId)?.push(at)) named.set(callId, [at])
      return
    }
    const call = callId === undefined ? parentCall(entries, parent[at]!) : named.get(callId)?.at(-1)
    if (call !== undefined) answered[call] = 1
    if (above !== undefined && (call === undefined || call === above.call)) {
      answered[above.call] = 1
      openBelow.set(at, above.rest)
    }
  }
  const leave = (at: number): void => {
    openBelow.delete(at)
    const callId = entries[at]!.type === 'tool_call' ? toolCallIdOf(entries[at]!) : undefined
    if (callId !== undefined) named.get(callId)?.pop()
  }

  enter(root)
  for (let at = root; ; ) {
    if (firstChild[at] !== NONE) at = firstChild[at]!
    else {
      while (at !== root && nextSibling[at] === NONE) {
        leave(at)
        at = parent[at]!
      }
      if (at === root) return
      leave(at)
      at = nextSibling[at]!
    }
    enter(at)
  }
}

function parentCall(entries: readonly FlatEntry[], parent: number): number | undefined {
  return parent !== NONE && entries[parent]!.type === 'tool_call' ? parent : undefined
}

function toolCallIdOf({ metadata }: FlatEntry): string | undefined {
  const id = metadata?.toolCallId
  return typeof id === 'string' && id !== '' ? id : undefined
}
