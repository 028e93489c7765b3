/** What this process is working on: answers, their tools, a user's commands. Of others the log names the `writer`. */
const running = new Map<string, number>()

export function isRunningHere(sessionId: string, nodeId: string): boolean {
  return running.has(keyOf(sessionId, nodeId))
}

/** Holds until it was forgotten as often as it was noted. */
export function noteRunning(sessionId: string, nodeId: string): void {
  const key = keyOf(sessionId, nodeId)
  running.set(key, (running.get(key) ?? 0) + 1)
}

export function forgetRunning(sessionId: string, nodeId: string): void {
  const key = keyOf(sessionId, nodeId)
  const times = running.get(key) ?? 0
  if (times > 1) running.set(key, times - 1)
  else running.delete(key)
}

function keyOf(sessionId: string, nodeId: string): string {
  return `${sessionId}/${nodeId}`
}
