const STEPS_PER_TURN = 500

/** To be awaited at every step of a long loop: now and then others get their turn, and who is told to stop does. */
export function takeTurns(
  signal?: AbortSignal,
  stepsPerTurn: number = STEPS_PER_TURN,
): () => Promise<void> | undefined {
  let steps = 0
  return () => {
    if (++steps % stepsPerTurn !== 0) return undefined
    signal?.throwIfAborted()
    return new Promise(setImmediate)
  }
}
