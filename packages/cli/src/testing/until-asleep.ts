import { readFileSync } from 'node:fs'
import { setTimeout as pass } from 'node:timers/promises'

const LOOK_MS = 5
/** One that never sleeps is seen at its work. */
const MAX_MS = 5_000
/** `pid (name) state …`; a name may hold anything. */
const RUNNING = /\) R [^)]*$/

/**
 * Waits until a process waits for something to happen: it has read what it was sent, and done what was to be done. On a busy
 * machine that takes longer than any time one would think of. Where the system does not tell, it does not wait.
 */
export async function untilAsleep(pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_MS && isRunning(pid); waitedMs += LOOK_MS) await pass(LOOK_MS)
}

function isRunning(pid: number): boolean {
  try {
    return RUNNING.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // It has ended, or there is no such file on this system.
    return false
  }
}
