import { decodeLog, type LogRecord, sealRecord, withoutCrc } from '@treeline/core'
import { nativeCodec } from '../../log/native-codec.ts'
import { scrubJson } from './scrub-json.ts'
import type { TextEdit } from './text-edit.ts'

export interface ScrubbedLine {
  /** The line as it will be, its line end too. */
  readonly bytes: Uint8Array
  /** False when all there is of it is where it cannot be removed from. */
  readonly isChanged: boolean
  readonly entryIds: readonly string[]
  /** Why the line cannot be scrubbed: what readers find entries by would change. */
  readonly refusal: string | undefined
  /** The secret is still in there: inside of a number, or across what separates two texts. */
  readonly isLeft: boolean
}

/**
 * One line of a log, or of anything else, with its line end if it has one; nothing when it stays as it is. Records keep
 * everything but the texts concerned and get a new checksum; what is no record keeps its length.
 */
export function scrubLine(line: Buffer, edit: TextEdit): ScrubbedLine | undefined {
  const latin1 = line.toString('latin1')
  if (!edit.mayConcern(latin1)) return undefined
  const { header, titleSlot, records } = decodeLog(line)
  const found = [header, titleSlot, ...records].filter((record) => record !== undefined)
  const pieces: Uint8Array[] = []
  const entryIds: string[] = []
  let refusal: string | undefined
  let done = 0
  for (const record of found.sort((a, b) => a.offset - b.offset)) {
    pieces.push(Buffer.from(edit.applyToBytes(latin1.slice(done, record.offset)), 'latin1'))
    done = record.offset + record.length
    const bytes = line.subarray(record.offset, done)
    const scrubbed = scrubRecord(bytes, edit)
    pieces.push(scrubbed ?? bytes)
    if (scrubbed === undefined) continue
    if (typeof record.value.id === 'string') entryIds.push(record.value.id)
    refusal ??= refuseHead(record, scrubbed)
  }
  pieces.push(Buffer.from(edit.applyToBytes(latin1.slice(done)), 'latin1'))
  const bytes = Buffer.concat(pieces)
  const isLeft = edit.pattern.isInBytes(bytes.toString('latin1'))
  const isChanged = !bytes.equals(line)
  return isChanged || isLeft ? { bytes, isChanged, entryIds, refusal, isLeft } : undefined
}

/** Without its line end; nothing when no text of it is concerned. */
function scrubRecord(bytes: Uint8Array, edit: TextEdit): Uint8Array | undefined {
  const bare = Buffer.from(withoutCrc(bytes)).toString('latin1')
  const scrubbed = scrubJson(bare, edit)
  if (scrubbed === bare) return undefined
  return sealRecord(Buffer.from(scrubbed, 'latin1'), nativeCodec.crc32).subarray(0, -1)
}

const HEAD = ['type', 'id', 'parentId', 'timestamp', 'version', 'customType', 'targetId'] as const

function refuseHead({ value }: LogRecord, scrubbed: Uint8Array): string | undefined {
  const after = JSON.parse(Buffer.from(scrubbed).toString()) as Readonly<Record<string, unknown>>
  const changed = HEAD.find((key) => JSON.stringify(value[key]) !== JSON.stringify(after[key]))
  if (changed !== undefined)
    return `it is part of the entry's \`${changed}\`, by which other entries and readers find it`
  const isRole = roleOf(value.message) === roleOf(after.message)
  return isRole ? undefined : 'it is part of what says who spoke'
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? (message as { role?: unknown }).role : undefined
}
