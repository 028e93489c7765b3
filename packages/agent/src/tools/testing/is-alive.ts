import { readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended is listed until somebody asks about it, which in a container may be never. */
export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}
