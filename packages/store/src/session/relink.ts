import { crc32 } from 'node:zlib'
import { checkCrc, type Entry, encodeLine, parseRecord, sealRecord } from '@treeline/core'
import type { Taken } from './fork.ts'

const LINE_END = Buffer.from('\n')
/** Heads that Treeline, Pi, xcsh and oh-my-pi write; `id` and `parentId` stand in the first bytes. */
const HEAD = /^\{"type":"[\w/-]{1,64}","id":"([^"\\]{1,128})","parentId":(null|"[^"\\]{1,128}"),"timestamp":"/
const HEAD_BYTES = 512

/**
 * A record as a line of the fork. Its bytes stay what they are but for id and parent where those change; a checksum that
 * does not hold is kept, so that the fork still says that the line was touched.
 */
export function relinked(record: Uint8Array, { id, parentId }: Taken): Uint8Array {
  if (parentId === undefined) return sealed(record)
  const head = HEAD.exec(
    Buffer.from(record.buffer, record.byteOffset, Math.min(HEAD_BYTES, record.length)).toString('latin1'),
  )
  if (head === null || !isPlain(id) || (parentId !== null && !isPlain(parentId))) return rewritten(record, id, parentId)
  const [whole, oldId, oldParent] = head as unknown as [string, string, string]
  const type = whole.slice(0, whole.indexOf('","id":"'))
  const parent = parentId === null ? 'null' : JSON.stringify(parentId)
  if (id === oldId && parent === oldParent) return sealed(record)
  const newHead = Buffer.from(`${type}","id":"${id}","parentId":${parent},"timestamp":"`, 'latin1')
  return sealRecord(Buffer.concat([newHead, record.subarray(whole.length)]), crc32)
}

/** Whether a record ends with a checksum, right or wrong. */
export function isSealed(record: Uint8Array): boolean {
  return checkCrc(record, 0, record.length, () => 0) !== 'none'
}

function sealed(record: Uint8Array): Uint8Array {
  return isSealed(record) ? Buffer.concat([record, LINE_END]) : sealRecord(record, crc32)
}

function rewritten(record: Uint8Array, id: string, parentId: string | null): Uint8Array {
  const { entry } = parseRecord(record)
  return encodeLine({ ...entry, id, parentId } as Entry)
}

function isPlain(id: string): boolean {
  return /^[\x20-\x7e]+$/.test(id) && !/["\\]/.test(id)
}
