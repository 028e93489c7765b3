import { crc32 } from 'node:zlib'
import type { EntryDraft } from '@treeline/core'
import { sampleDraft } from './sample-entry.ts'

/** What an appending process is told to do. */
export interface Order {
  readonly home: string
  readonly sessionId: string
  /** Its entries' ids begin with this and go on with a number. */
  readonly name: string
  readonly count: number
  readonly sizes: readonly number[]
  /** One by one; several in one call; several calls at once. */
  readonly how: 'singly' | 'together' | 'at once'
}

/** The same for both sides. */
export function draftOf(id: string, sizes: readonly number[]): EntryDraft {
  return sampleDraft(id, sizes[crc32(id) % sizes.length]!)
}
