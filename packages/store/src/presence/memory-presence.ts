import { randomUUID } from 'node:crypto'
import type { SessionStorage } from '../storage/storage.ts'
import type { Presence } from './presence.ts'

interface Disk {
  readonly open: string[]
  readonly alive: Set<string>
}

/** By disk: several stores over one of these see each other, as several processes do. */
const disks = new WeakMap<SessionStorage, Disk>()

export function createMemoryPresence(storage: SessionStorage): Presence {
  const { open, alive } = disks.get(storage) ?? { open: [], alive: new Set() }
  disks.set(storage, { open, alive })
  const token = randomUUID()
  alive.add(token)
  const own = new Set<() => void>()
  return {
    problem: undefined,
    enter(path) {
      open.push(path)
      const leave = () => {
        if (own.delete(leave)) open.splice(open.indexOf(path), 1)
      }
      own.add(leave)
      return leave
    },
    openLogs: () => new Set(open),
    get token() {
      return alive.has(token) ? token : undefined
    },
    isAlive: (other) => alive.has(other),
    close() {
      alive.delete(token)
      for (const leave of own) leave()
    },
  }
}
