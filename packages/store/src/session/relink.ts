import { crc32 } from 'node:zlib'
import { checkCrc, type Entry, encodeLine, parseRecord, resealInPlace, sealRecord, withoutCrc } from '@treeline/core'
import { setMembers } from './set-members.ts'

const LINE_END = Buffer.from('\n')
/** In so many bytes are `id` and `parentId` of all that Treeline, Pi, xcsh and oh-my-pi write. */
const HEAD_BYTES = 512
const TYPE = '{"type":"'
const ID = '","id":"'
const PARENT = '","parentId":'
const TIMESTAMP = ',"timestamp":"'
const ID_KEY = Buffer.from('"id"')
const PARENT_KEY = Buffer.from('"parentId"')

/**
 * A record as a line of the fork that has another id or parent. All other bytes stay what they are; a checksum that does
 * not hold is kept where neither is another, so that the fork still says that the line was touched. Nothing when its
 * head is not as tools write it, or what is another there may come again: of a key that stands there twice, JSON takes the
 * last. Where it is a key of something else, that costs time only.
 */
export function withHead(record: Uint8Array, id: string, parentId: string | null): Uint8Array | undefined {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.length)
  const head = readHead(bytes.subarray(0, HEAD_BYTES))
  if (head === undefined || !isPlain(id) || (parentId !== null && !isPlain(parentId))) return undefined
  if (bytes.includes(PARENT_KEY, head.end) || (id !== head.id && bytes.includes(ID_KEY, head.end))) return undefined
  const parent = parentId === null ? 'null' : `"${parentId}"`
  if (id === head.id && parent === head.parent) return sealed(record)
  const newHead = Buffer.from(`${head.type}${ID}${id}${PARENT}${parent}`, 'latin1')
  return sealRecord(Buffer.concat([newHead, record.subarray(head.end)]), crc32)
}

/**
 * The same where it is, for a message with a checksum that goes under a parent whose id is as long as that of the one it
 * has. False, and nothing is changed, when it is not that, or its head is not as Treeline and Pi write it, or the parent
 * may come again: whoever can reckon a checksum may have written the line.
 */
export function relinkInPlace(record: Uint8Array, id: string, from: string, to: string): boolean {
  if (from.length !== to.length || !isPlain(to)) return false
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.length)
  const head = `${TYPE}message${ID}${id}${PARENT}"`
  const end = head.length + from.length + 1
  if (bytes.toString('latin1', 0, end) !== `${head}${from}"` || bytes.includes(PARENT_KEY, end)) return false
  bytes.write(to, head.length, 'latin1')
  resealInPlace(bytes, crc32)
  return true
}

/**
 * What a record begins with, as its bytes say it: up to the type's name, the id, the parent with its quotes, and where
 * that ends. Searched for and not matched: a pattern takes longer to compile than all the heads of a fork to read.
 */
function readHead(
  bytes: Buffer,
): { readonly type: string; readonly id: string; readonly parent: string; readonly end: number } | undefined {
  const text = bytes.toString('latin1')
  const typeEnd = text.indexOf('"', TYPE.length)
  const idStart = typeEnd + ID.length
  const idEnd = text.indexOf('"', idStart)
  const parentStart = idEnd + PARENT.length
  const end = text.indexOf(TIMESTAMP, parentStart)
  if (!text.startsWith(TYPE) || !text.startsWith(ID, typeEnd) || !text.startsWith(PARENT, idEnd) || end < 0) {
    return undefined
  }
  const parent = text.slice(parentStart, end)
  const isId = parent.length > 2 && parent.indexOf('"', 1) === parent.length - 1 && parent[0] === '"'
  if (text.lastIndexOf('\\', end) >= 0 || idEnd === idStart || !(isId || parent === 'null')) return undefined
  return { type: text.slice(0, typeEnd), id: text.slice(idStart, idEnd), parent, end }
}

/** The same whatever its head is like, and with other members beside. */
export function rewritten(record: Uint8Array, members: ForkedMembers): Uint8Array {
  const texts = Object.entries(members).map(([key, value]) => [key, JSON.stringify(value)])
  const spliced = setMembers(withoutCrc(record), Object.fromEntries(texts))
  if (spliced !== undefined) return sealRecord(spliced, crc32)
  const { entry } = parseRecord(record)
  return encodeLine({ ...entry, ...members } as Entry)
}

/** What may be another in a fork. */
export interface ForkedMembers {
  readonly id: string
  readonly parentId: string | null
  readonly firstKeptEntryId?: string
}

/** The line of a record that stays as it is; a checksum, right or wrong, stays too. */
export function sealed(record: Uint8Array): Uint8Array {
  const isSealed = checkCrc(record, 0, record.length, () => 0) !== 'none'
  return isSealed ? Buffer.concat([record, LINE_END]) : sealRecord(record, crc32)
}

function isPlain(id: string): boolean {
  return /^[ !#-[\]-~]+$/.test(id)
}
