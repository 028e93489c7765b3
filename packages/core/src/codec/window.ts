/** Bytes with views that read four of them at a time; the bytes need not be aligned in their buffer. */
export interface Window {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Aligned words of the buffer, starting `lead` bytes before `bytes[0]`. */
  readonly words: Int32Array
  readonly lead: number
}

export function openWindow(bytes: Uint8Array): Window {
  const { buffer, byteOffset, length } = bytes
  const lead = byteOffset & 7
  return {
    bytes,
    view: new DataView(buffer, byteOffset, length),
    words: new Int32Array(buffer, byteOffset - lead, (lead + length) >>> 2),
    lead,
  }
}

/** An ASCII text of at least four bytes, cut into words; the last word overlaps the one before. */
export interface Text {
  readonly length: number
  readonly words: Int32Array
}

export function textOf(text: string): Text {
  const { length } = text
  const view = new DataView(new TextEncoder().encode(text).buffer)
  const words = Array.from({ length: Math.ceil(length / 4) }, (_, k) =>
    view.getInt32(Math.min(k * 4, length - 4), true),
  )
  return { length, words: Int32Array.from(words) }
}

/** Whether `text` stands at `at`. */
export function hasText(view: DataView, at: number, text: Text): boolean {
  const { length, words } = text
  if (at < 0 || at + length > view.byteLength) return false
  const last = words.length - 1
  for (let k = 0; k < last; k++) if (view.getInt32(at + k * 4, true) !== words[k]) return false
  return view.getInt32(at + length - 4, true) === words[last]
}
