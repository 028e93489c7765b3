import { restoreTree, type TreeSnapshot } from '../tree/snapshot.ts'
import type { Tree } from '../tree/tree.ts'

/** As from a file: what is not in the bytes and the JSON is gone. */
export function restoreSaved({ meta, sections }: TreeSnapshot): Tree {
  const bytes = new Map(sections.map((section) => [section.name, section.bytes]))
  const read = (name: string, into: Uint8Array, at = 0) => into.set(bytes.get(name)!.subarray(at, at + into.length))
  return restoreTree(JSON.parse(JSON.stringify(meta)), read, { sessionId: 's' })
}

/** The same with another byte at some place; the numbers may be any. */
export function changeByte(saved: TreeSnapshot, which: number, at: number, byte: number): TreeSnapshot {
  const sections = saved.sections.map(({ name, bytes }) => ({ name, bytes: bytes.slice() }))
  const { bytes } = sections[which % sections.length]!
  bytes[at % bytes.length] = byte
  return { ...saved, sections }
}
