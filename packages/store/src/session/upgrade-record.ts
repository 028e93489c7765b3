import { crc32 } from 'node:zlib'
import { type Entry, encodeLine, sealRecord, withoutCrc } from '@treeline/core'
import { sealed } from './relink.ts'
import { type Members, readMember, setMembers } from './set-members.ts'

/** What an upgrade, or a fork of what is old, may have given another value. */
const MAY_CHANGE = ['id', 'parentId', 'timestamp', 'firstKeptEntryId'] as const

/** A record as parsed, before it was brought to this version. */
export type StoredFields = Readonly<Record<string, unknown>>

/**
 * The line of an entry that was version 1 or 2 in its record. What is as it was there keeps its own bytes, numbers and
 * order of keys among them, which parsing would change; not in a compaction that says by an index what it keeps.
 */
export function upgradeRecord(record: Uint8Array, stored: StoredFields, entry: Entry): Uint8Array {
  const isLess = Object.keys(stored).some((key) => !Object.hasOwn(entry, key))
  const members = isLess ? undefined : listChanged(record, stored, entry)
  if (members === undefined) return encodeLine(entry)
  if (Object.keys(members).length === 0) return sealed(record)
  const line = withMembers(withoutCrc(record), stored, members)
  return line === undefined ? encodeLine(entry) : sealRecord(line, crc32)
}

/** Nothing when the message is another and cannot be made of the one in the record. */
function listChanged(record: Uint8Array, stored: StoredFields, entry: Entry): Members | undefined {
  const changed = MAY_CHANGE.filter((key) => Object.hasOwn(entry, key) && entry[key] !== stored[key])
  const members = Object.fromEntries(changed.map((key) => [key, JSON.stringify(entry[key])]))
  const role = roleOf(entry.message)
  if (role === roleOf(stored.message)) return members
  const bytes = readMember(record, 'message')
  const message = bytes && setMembers(bytes, { role: JSON.stringify(role) })
  return message && { ...members, message: Buffer.from(message).toString() }
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined
}

/** What the record lacks comes behind its type, where every tool has it; last where the record begins otherwise. */
function withMembers(record: Uint8Array, stored: StoredFields, members: Members): Uint8Array | undefined {
  const head = Buffer.from(`{"type":${JSON.stringify(stored.type)},`)
  if (Buffer.compare(record.subarray(0, head.length), head) !== 0) return setMembers(record, members)
  const all = Object.entries(members)
  const replaced = setMembers(record, Object.fromEntries(all.filter(([key]) => Object.hasOwn(stored, key))))
  const lacking = all.filter(([key]) => !Object.hasOwn(stored, key))
  const added = lacking.map(([key, value]) => `${JSON.stringify(key)}:${value},`).join('')
  return replaced && Buffer.concat([head, Buffer.from(added), replaced.subarray(head.length)])
}
