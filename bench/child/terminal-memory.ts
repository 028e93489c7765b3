import { readFileSync } from 'node:fs'
import { setTimeout as pass } from 'node:timers/promises'

export interface ProcessMemory {
  readonly rssBytes: number
  readonly peakBytes: number
}

const POLL_MS = 250
const CALM_POLLS = 6
const CALM_SHARE = 0.01
const MAX_POLLS = 60

/** What a program holds when it has come to rest: once its resident memory has stayed the same for 1.5 s. */
export async function settledMemory(pid: number): Promise<ProcessMemory> {
  let last = readMemory(pid)
  let calm = 0
  for (let poll = 0; poll < MAX_POLLS && calm < CALM_POLLS; poll++) {
    await pass(POLL_MS)
    const now = readMemory(pid)
    calm = Math.abs(now.rssBytes - last.rssBytes) <= last.rssBytes * CALM_SHARE ? calm + 1 : 0
    last = now
  }
  return last
}

/** As Linux counts it: all that is resident of the process, its threads and its garbage included. */
function readMemory(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const bytesOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { rssBytes: bytesOf('VmRSS'), peakBytes: bytesOf('VmHWM') }
}
