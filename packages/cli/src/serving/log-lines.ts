import type { LogRecord } from '@treeline/server'
import type { Output } from '../output/output.ts'
import { safeJson } from '../output/safe-json.ts'
import { paint } from '../output/style.ts'

export const LEVELS = ['error', 'warn', 'info'] as const
export type Level = (typeof LEVELS)[number]

/** Records as lines of JSON on the error stream; without a level only what failed, in words. */
export function logTo(out: Output, level: Level | undefined): (record: LogRecord) => void {
  if (level === undefined) {
    return ({ level: of, message, error }) => {
      if (of === 'error') out.note(paint('bad', `${message}${error === undefined ? '' : `: ${error}`}`))
    }
  }
  const most = LEVELS.indexOf(level)
  return (record) => {
    if (LEVELS.indexOf(record.level) > most) return
    out.note(safeJson({ time: new Date().toISOString(), ...record }))
  }
}
