import type { TitleSlot } from '@treeline/core'
import type { StorageReader } from '../storage/storage.ts'

/** oh-my-pi's first line, with its line end. */
const SLOT_BYTES = 256
const LINE_END = 0x0a

/** The slot at the beginning of a file, if it is one whose bytes may be replaced without moving anything behind them. */
export function readSlot(file: StorageReader): TitleSlot | undefined {
  const bytes = Buffer.alloc(SLOT_BYTES)
  if (file.readSync(bytes, 0) < SLOT_BYTES || bytes.indexOf(LINE_END) !== SLOT_BYTES - 1) return undefined
  try {
    const slot: unknown = JSON.parse(bytes.toString())
    const { type, v, title } = slot as Partial<TitleSlot>
    return type === 'title' && v === 1 && typeof title === 'string' ? (slot as TitleSlot) : undefined
  } catch {
    // Not JSON, so no slot; what it is instead the report says.
    return undefined
  }
}

/** A slot of just that size: a long title is cut between two characters, a short one has blanks behind it. */
export function makeSlot(title: string, updatedAt: string): TitleSlot {
  const slot = { type: 'title', v: 1, title: '', source: 'user', updatedAt, pad: '' } as const
  let room = SLOT_BYTES - encodeSlot(slot).length
  let fitting = ''
  for (const character of title) {
    room -= Buffer.byteLength(JSON.stringify(character)) - 2
    if (room < 0) break
    fitting += character
  }
  const full = { ...slot, title: fitting }
  return { ...full, pad: ' '.repeat(SLOT_BYTES - encodeSlot(full).length) }
}

export function encodeSlot(slot: TitleSlot): Uint8Array {
  return Buffer.from(`${JSON.stringify(slot)}\n`)
}
