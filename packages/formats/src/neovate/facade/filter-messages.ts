/** What the walk to the root needs of a message. */
export interface Linked {
  readonly type?: unknown
  readonly uuid?: unknown
  readonly parentUuid?: unknown
}

/**
 * The messages of the active path: from the last message up to its root, in the order of the file (N43). A ring of parents
 * ends the walk instead of going on for ever (X24), and of messages with one uuid the first is meant (X20).
 *
 * @example
 * filterMessages([msg1, msg2, msg3, msg4, msg5UnderMsg2, msg6]) // [msg1, msg2, msg5, msg6]
 */
export function filterMessages<T extends Linked>(messages: readonly T[]): T[] {
  const only = messages.filter(({ type }) => type === 'message')
  const last = only.at(-1)
  return last === undefined ? [] : pathTo(only, last)
}

/** From a message up to its root, or to a parent that is not there. */
export function pathTo<T extends Linked>(messages: readonly T[], target: T): T[] {
  const byUuid = new Map<unknown, T>()
  for (const message of messages) if (!byUuid.has(message.uuid)) byUuid.set(message.uuid, message)
  const path = new Set<T>()
  for (let at: T | undefined = target; at !== undefined && !path.has(at); at = byUuid.get(at.parentUuid)) path.add(at)
  return messages.filter((message) => path.has(message))
}
