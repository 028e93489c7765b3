import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { EditRequestOp, Entry } from '@treeline/core'
import { findRings, isUsableId } from '../foreign-ids.ts'
import type { ForeignFile, Translation } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { EntryIds } from './entry-ids.ts'
import { type FoundLine, findLines } from './lines.ts'
import { type Fields, isConfig, isMessage, type Kept } from './record.ts'
import { readSettings } from './settings.ts'
import { Places, toTemplate } from './template.ts'
import { parentOf, translateMessage, translateOther } from './translate-line.ts'
import { readUsage } from './usage.ts'

/**
 * A Neovate file in our words: every line of every branch, in the file's order. The leaf is where Neovate goes on, the
 * last message of the file (N13); its settings are those of the first config line, as it reads them (X4).
 */
export function readNeovate({ path, bytes }: ForeignFile): Translation {
  const notes = new NoteList()
  const lines = findLines(bytes, notes)
  const ownId = findSessionId(lines)
  const sessionId = ownId ?? basename(path, '.jsonl')
  const createdAt = findTime(lines) ?? new Date(0).toISOString()
  // The file may be called otherwise tomorrow, and still be the same.
  const reading = new Reading(ownId ?? '', createdAt, lines, notes)
  for (const line of lines) reading.take(line)
  reading.finish()
  const { entries, leafId, operations, title } = reading
  // Its own ids are of eight characters: what the session begins with tells it from others. Settings alone do not.
  const start = leafId === null ? [] : [entries[0]!.id, entries[0]!.timestamp]
  const identity = [ownId ?? (leafId === null ? sessionId : ''), ...start]
  return { sessionId, identity, createdAt, cwd: undefined, title, entries, leafId, operations, notes: notes.all() }
}

/** Class: it gathers, line by line. */
class Reading {
  readonly entries: Entry[] = []
  readonly operations: EditRequestOp[] = []
  leafId: string | null = null
  title: string | undefined
  private readonly ids: EntryIds
  private readonly notes: NoteList
  private readonly parents = new Map<string, string | null>()
  private readonly lineOf = new Map<string, FoundLine>()
  /** What came before the first message, until that comes. */
  private early: FoundLine[] | undefined = []
  private timestamp: string
  private tokens = 0
  private hasSettings = false

  constructor(sessionId: string, createdAt: string, lines: readonly FoundLine[], notes: NoteList) {
    this.ids = new EntryIds(
      sessionId,
      lines.map(({ value }) => value),
    )
    this.timestamp = createdAt
    this.notes = notes
  }

  take(line: FoundLine): void {
    if (line.value !== undefined && isMessage(line.value)) this.takeMessage(line, line.value)
    else if (this.early !== undefined) this.early.push(line)
    else this.takeOther(line)
  }

  finish(): void {
    this.takeEarly()
    const placed = [...this.parents].map(([id, parentId]) => ({ id, parentId }))
    for (const position of findRings(placed)) {
      const { id } = placed[position]!
      this.note('info', this.lineOf.get(id), `is among its own ancestors. The ring is cut; nothing of it is lost.`, id)
    }
    for (const [id, parentId] of this.parents) {
      if (parentId === null || this.ids.has(parentId)) continue
      this.note('info', this.lineOf.get(id), `hangs under ${parentId}, which is not in the file. It is a root now.`, id)
    }
  }

  private takeMessage(line: FoundLine, record: Fields): void {
    const id = this.ids.ofMessage(record.uuid)
    if (typeof record.timestamp === 'string' && record.timestamp !== '') this.timestamp = record.timestamp
    const source = { record, json: line.json, timestamp: this.timestamp, tokensBefore: this.tokens }
    for (const entry of translateMessage(source, id, this.ids)) this.entries.push(entry)
    this.parents.set(id, parentOf(record))
    this.lineOf.set(id, line)
    this.leafId = id
    this.takeEarly()
    if (record.role === 'assistant') this.tokens = readUsage(record.usage)?.totalTokens ?? this.tokens
    if (line.json !== undefined)
      this.note('changed', line, 'cannot be shown as it is. It is kept for writing back.', id)
    if (id === record.uuid) return
    const why = isUsableId(record.uuid) ? `has the id ${record.uuid} of a line before it` : 'has no usable id'
    this.note('changed', line, `${why}. It is ${id} here, and has its own when it is written back.`, id)
  }

  /** Behind the first message, because that stays the first, whatever Neovate puts before it later. */
  private takeEarly(): void {
    const { early = [] } = this
    this.early = undefined
    for (const line of early) this.takeOther(line, { isFirst: true })
  }

  private takeOther(line: FoundLine, place: Kept = {}): void {
    const { value: record, json } = line
    const isSettings = record !== undefined && json === undefined && isConfig(record) && !this.hasSettings
    if (isSettings) {
      this.takeSettings(line, record, place)
      return
    }
    const kept = json === undefined ? { record: toTemplate(record, new Places()), ...place } : { json, ...place }
    const text = json ?? JSON.stringify(record)
    const id = this.ids.ofKept(`line-${crc32(text).toString(16).padStart(8, '0')}`)
    this.entries.push(translateOther(id, this.leafId, this.timestamp, kept))
    if (record !== undefined && isConfig(record)) {
      this.note('info', line, 'is a further config line, which Neovate does not read. It is kept for writing back.', id)
    } else this.note('info', line, 'is no message. It is kept for writing back.', id)
  }

  private takeSettings(line: FoundLine, given: Fields, place: Kept): void {
    const { operation, record, settings, tooLarge } = readSettings(given)
    this.hasSettings = true
    if (operation !== undefined) this.operations.push(operation)
    const { summary } = given.config as Fields
    if (typeof summary === 'string' && summary.trim() !== '') this.title = summary
    const kept = { record: toTemplate(record, new Places()), settings, ...place }
    const id = this.ids.ofKept('config')
    this.entries.push(translateOther(id, this.leafId, this.timestamp, kept))
    if (tooLarge.length > 0) {
      this.note('info', line, `has ${tooLarge.join(', ')} too large for settings. It is kept for writing back.`, id)
    }
  }

  private note(kind: FormatNote['kind'], found: FoundLine | undefined, what: string, id: string): void {
    const { line, offset, length } = found ?? {}
    this.notes.add({ kind, message: `Line ${line} ${what}`, line, offset, length, id })
  }
}

function findSessionId(lines: readonly FoundLine[]): string | undefined {
  for (const { value } of lines) if (value !== undefined && isUsableId(value.sessionId)) return value.sessionId
  return undefined
}

/** Of the first line that says one that a file can be named by. */
function findTime(lines: readonly FoundLine[]): string | undefined {
  for (const { value } of lines) {
    const ms = typeof value?.timestamp === 'string' ? Date.parse(value.timestamp) : Number.NaN
    if (ms >= 0 && ms < 253402300800000) return new Date(ms).toISOString()
  }
  return undefined
}
