/** Everything that has to be written before this process ends; one listener for all, however many are open. */
const flushes = new Set<() => void>()

function flushAll(): void {
  for (const flush of flushes) flush()
}

/** Calls `flush`, which must not throw or wait, when the process ends by itself or by `process.exit`. Returns how to stop that. */
export function flushAtExit(flush: () => void): () => void {
  if (flushes.size === 0) for (const event of ['beforeExit', 'exit']) process.on(event, flushAll)
  flushes.add(flush)
  return () => {
    flushes.delete(flush)
    if (flushes.size === 0) for (const event of ['beforeExit', 'exit']) process.off(event, flushAll)
  }
}
