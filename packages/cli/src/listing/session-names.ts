import type { SessionIndex } from '@treeline/store'
import { shortId } from '../output/short-id.ts'

/** Beyond this many it is no list for a person, and names are made sure of within it only. */
const MAX_ASKED = 500
/** How many characters of the end of an id tell it from others, where the usual eight do not. */
const LONGER_ENDS = [12, 16] as const
const END_CHARS = 8
const GAP = '..'

/** How a session is named where people read it; `?` for one without an id. */
export type NameOf = (id: string | undefined) => string

/**
 * Names for sessions that can be typed wherever one is asked for: the end of the id, by more of it where that fits another
 * session of any tool, by both ends (`019c65aa..00000009`) where only the beginning tells them apart.
 */
export async function nameSessions(index: SessionIndex, ids: readonly (string | undefined)[]): Promise<NameOf> {
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    if (id === undefined) continue
    names.set(id, names.size < MAX_ASKED ? await nameOf(index, id) : shortId(id))
  }
  return (id) => (id === undefined ? '?' : (names.get(id) ?? shortId(id)))
}

async function nameOf(index: SessionIndex, id: string): Promise<string> {
  const ends = [shortId(id), ...LONGER_ENDS.map((chars) => id.slice(-chars))].filter((end) => end.length < id.length)
  for (const end of ends) {
    const found = await index.find(end)
    if (found.every((other) => other.id === id)) return end
  }
  const bothEnds = `${id.slice(0, END_CHARS)}${GAP}${id.slice(-END_CHARS)}`
  return bothEnds.length < id.length && (await wholeId(index, bothEnds)) === id ? bothEnds : id
}

/** The id that a name with both ends is for, when it is for one; any other text as it is. */
export async function wholeId(index: SessionIndex, name: string): Promise<string> {
  const at = name.indexOf(GAP)
  if (at < 1 || at + GAP.length >= name.length) return name
  const found = await index.find(name.slice(at + GAP.length))
  const ids = new Set(found.flatMap(({ id }) => (id?.startsWith(name.slice(0, at)) ? [id] : [])))
  const [id, ...others] = ids
  return id === undefined || others.length > 0 ? name : id
}
