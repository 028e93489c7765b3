import { isDeeperThan } from '@treeline/core'
import { isRecord, type JsonRecord, MAX_JSON_DEPTH } from '../kept-record.ts'
import type { NoteList } from '../note-list.ts'

/** Never throws: a file that is no document is an empty one with a note. What is nested without end is left out. */
export function parseDocument(bytes: Uint8Array, notes: NoteList): JsonRecord {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    const message = `The file is no JSON: ${(error as Error).message}. Nothing of it can be read.`
    notes.add({ kind: 'damage', message, offset: 0, length: bytes.length })
    return {}
  }
  if (!isRecord(value)) {
    notes.add({ kind: 'damage', message: 'The file is JSON, but no conversation.', offset: 0, length: bytes.length })
    return {}
  }
  return isDeeperThan(value, MAX_JSON_DEPTH) ? withoutDeep(value, notes) : value
}

function withoutDeep(document: JsonRecord, notes: NoteList): JsonRecord {
  const keep = (record: JsonRecord, what: string): JsonRecord =>
    Object.fromEntries(
      Object.entries(record).filter(([key, value]) => {
        const isFine = typeof value !== 'object' || value === null || !isDeeperThan(value, MAX_JSON_DEPTH)
        const message = `${what} ${JSON.stringify(key)} is nested deeper than ${MAX_JSON_DEPTH} levels and left out.`
        if (!isFine) notes.add({ kind: 'left_out', message, id: key })
        return isFine
      }),
    )
  const { nodes } = document
  return keep(isRecord(nodes) ? { ...document, nodes: keep(nodes, 'Node') } : document, 'The field')
}
