import { Kind, type Role } from '../entry/kind.ts'
import { type Heads, ParentForm } from './heads.ts'

/** What a line with a message begins with, where it was made a moment ago. The ids are plain ASCII. */
export interface MessageHead {
  readonly id: string
  readonly parentId: string | null
  readonly timeMs: number
  readonly role: Role
}

/** The row that a scan of the line would have written. */
export function writeMessageRow(heads: Heads, head: MessageHead, offset: number, length: number, line: number): void {
  const { id, parentId, timeMs, role } = head
  const row = heads.reserveRow()
  heads.writePlace(row, { kind: Kind.message, role, timeMs }, offset, length, line)
  const fresh = row - heads.savedRows
  heads.reserveIdBytes(id.length + (parentId === null ? 0 : parentId.length))
  heads.parentForm[fresh] = parentId === null ? ParentForm.root : ParentForm.id
  heads.idEnd[fresh * 2] = writeAscii(heads, id)
  heads.idEnd[fresh * 2 + 1] = writeAscii(heads, parentId ?? '')
}

function writeAscii(heads: Heads, text: string): number {
  const { idBytes } = heads
  let to = heads.idByteCount
  for (let at = 0; at < text.length; at++) idBytes[to++] = text.charCodeAt(at)
  heads.idByteCount = to
  return to
}
