import { type Entry, textOf } from '@treeline/core'
import { isRecord, type JsonRecord } from './kept-record.ts'

/** Told what of an entry another format has no words for. */
export type OnLost = (kind: 'changed' | 'left_out', what: string) => void

/** What an entry says, for formats that know text only. */
export function textWithoutImages(entry: Entry, onLost: OnLost): string {
  const message: JsonRecord = isRecord(entry.message) ? entry.message : {}
  if (!Array.isArray(message.content)) return textOf(entry)
  const blocks = message.content as readonly unknown[]
  const left = blocks.filter((block) => !isRecord(block) || block.type !== 'image')
  for (let lost = blocks.length - left.length; lost > 0; lost--) onLost('left_out', 'An image is left out')
  return textOf({ ...entry, message: { ...message, content: left } })
}

/** The same without the keys that have no value. */
export function present(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
