/** Sends a signal to every process of a group; false when there is none left. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal)
    return true
  } catch (error) {
    // EPERM: one that is somebody else's by now, e.g. after sudo. It lives, and there is nothing to be done about it.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const POLL_MS = 25
/** Nothing refuses the second signal; one that nobody asks about after its end is listed for ever. */
const KILLED_MS = 250

/**
 * Asks a group to end, and ends it if it has not after the grace. Resolves when none of it is left, or when it cannot be
 * ended. Looks often: the number of a group that is gone may be given to another.
 */
export async function endGroup(groupId: number, graceMs: number): Promise<void> {
  if (!signalGroup(groupId, 'SIGTERM') || (await isGone(groupId, graceMs))) return
  signalGroup(groupId, 'SIGKILL')
  await isGone(groupId, KILLED_MS)
}

async function isGone(groupId: number, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (!signalGroup(groupId, 0)) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return !signalGroup(groupId, 0)
}

/** Groups that end when we do: what runs in a session of its own would go on unseen. */
const ours = new Set<number>()

/** Until the returned function is called. Does nothing for a process that is killed: nothing can be done then. */
export function endWithProcess(groupId: number): () => void {
  if (ours.size === 0) process.on('exit', endAll)
  ours.add(groupId)
  return () => {
    ours.delete(groupId)
    if (ours.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const groupId of ours) signalGroup(groupId, 'SIGKILL')
}
