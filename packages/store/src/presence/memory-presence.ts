import type { SessionStorage } from '../storage/storage.ts'
import type { Presence } from './presence.ts'

/** By disk: several stores over one of these see each other, as several processes do. */
const disks = new WeakMap<SessionStorage, string[]>()

export function createMemoryPresence(storage: SessionStorage): Presence {
  const open = disks.get(storage) ?? []
  disks.set(storage, open)
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
    close() {
      for (const leave of own) leave()
    },
  }
}
