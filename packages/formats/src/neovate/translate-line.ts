import type { Entry } from '@treeline/core'
import { isUsableId } from '../foreign-ids.ts'
import type { EntryIds } from './entry-ids.ts'
import { type Fields, KEPT_LINE, type Kept } from './record.ts'
import { Places, toTemplate } from './template.ts'
import { readOpaque, readSaid, type Said } from './to-messages.ts'

export interface LineSource {
  readonly record: Fields
  /** The record as text, where an entry cannot hold it. */
  readonly json?: string | undefined
  /** When the file does not say, as far as one can tell. */
  readonly timestamp: string
  /** Tokens of the last answer before it, for a summary. */
  readonly tokensBefore?: number | undefined
}

/** A message line as entries: a chain, whose last entry has the id of the line. */
export function translateMessage(source: LineSource, id: string, ids: Pick<EntryIds, 'ofPart'>): Entry[] {
  const { record, json, timestamp } = source
  const ms = Date.parse(timestamp)
  const at = Number.isNaN(ms) ? {} : { timestamp: ms }
  const said = json === undefined ? readSaid(record, at) : readOpaque(record, at)
  const parts = 'messages' in said ? said.messages.slice(1).map(() => ids.ofPart(id)) : []
  const chain = [...parts, id]
  const first = parentOf(record)
  const entries = chain.map((own, i): Entry => {
    const head = { id: own, parentId: i === 0 ? first : chain[i - 1]!, timestamp }
    return bodyOf(head, said, i, source.tokensBefore)
  })
  const kept = keep(source, entries, parts)
  return entries.map((entry, i) => ({ ...entry, neovate: i < parts.length ? { line: id } : kept }))
}

/** A line that is no message hangs beside the conversation, where it stood in the file. */
export function translateOther(id: string, parentId: string | null, timestamp: string, kept: Kept): Entry {
  return { type: 'custom', id, parentId, timestamp, customType: KEPT_LINE, neovate: kept }
}

/** Neovate takes a line without a parent, or with one that is no id, for a root. */
export function parentOf({ parentUuid }: Fields): string | null {
  return isUsableId(parentUuid) ? parentUuid : null
}

function bodyOf(head: Omit<Entry, 'type'>, said: Said, part: number, tokensBefore = 0): Entry {
  const { id, parentId, timestamp } = head as Entry
  if ('summary' in said) return { type: 'compaction', id, parentId, timestamp, summary: said.summary, tokensBefore }
  return { type: 'message', id, parentId, timestamp, message: said.messages[part] }
}

function keep({ record, json }: LineSource, entries: readonly Entry[], parts: readonly string[]): Kept {
  const others = parts.length > 0 ? { parts: parts.length, line: entries.at(-1)!.id } : {}
  if (json !== undefined) return { json, ...others }
  const last = entries.length - 1
  const places = new Places()
  for (const [i, entry] of entries.entries()) {
    const part = i === last ? '' : String(i)
    for (const key of ['timestamp', 'message', 'summary']) places.add(part, entry, key)
  }
  const template = toTemplate(record, places) as Fields
  const first = entries[0]!
  const links = {
    ...(record.uuid === entries[last]!.id && { uuid: '@/id' }),
    ...(first.parentId !== null &&
      record.parentUuid === first.parentId && { parentUuid: `@${last === 0 ? '' : 0}/parentId` }),
  }
  // Spread over what is there, keys keep their order.
  return { record: { ...template, ...links }, ...others }
}
