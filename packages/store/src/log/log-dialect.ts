import { type Dialect, detectDialect, type Kind, ROOT } from '@treeline/core'
import type { LogReader } from './log-reader.ts'

/** Whose log it is. Looks at one byte per entry, no body. */
export function dialectOf({ storedHeader, titleSlot, isSealed, tree }: LogReader): Dialect {
  const occurs = new Uint8Array(256)
  const { kind } = tree.columns
  for (let ref = ROOT + 1; ref < tree.ids.count; ref++) occurs[kind[ref]!] = 1
  const kinds = Array.from(occurs.keys()).filter((at) => occurs[at] === 1) as Kind[]
  return detectDialect(storedHeader, titleSlot, kinds, isSealed)
}
