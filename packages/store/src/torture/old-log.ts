import { dirname } from 'node:path'
import type { SessionStorage } from '../storage/storage.ts'
import { HOME } from './place-log.ts'

export const OLD_PATH = `${HOME}/sessions/--work--/2025-01-01T00-00-00-000Z_old.jsonl`
export const OLD_TEXTS = ['old 0', 'old 1', 'old 2']

/** Puts a session of version 1 on a disk, durably, and returns its text. */
export function placeOldLog(storage: SessionStorage): string {
  const timestamp = '2025-01-01T00:00:00.000Z'
  const header = { type: 'session', id: 'old', timestamp, cwd: '/work' }
  const lines = OLD_TEXTS.map((content, n) => ({
    type: 'message',
    timestamp,
    message: { role: n % 2 === 0 ? 'user' : 'assistant', content, timestamp: n },
  }))
  const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  storage.ensureDirSync(dirname(OLD_PATH))
  storage.writeTextSync(OLD_PATH, text)
  return text
}
