import { isDeepStrictEqual } from 'node:util'
import { type Entry, Flag, Kind, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { NoteList } from '../note-list.ts'
import type { OpenedFile } from '../open-session-file.ts'
import { withUsage } from '../pi/with-usage.ts'
import { foreignId } from './foreign-id.ts'

export interface News {
  /** Ids of entries that the session here does not have, in the order of the file. */
  readonly ids: readonly string[]
  readonly knownCount: number
  /** Every id of the file, as it is or would be here. */
  readonly allIds: ReadonlySet<string>
  /** Entries of the file that say something else here. */
  readonly changedCount: number
  /** New ids for entries that say how things are by now, in place of what was said under their own id before. */
  readonly renamed: ReadonlyMap<string, string>
}

const ENTRIES_PER_READ = 128
/** What they mean depends on the log they are in. */
const OURS: readonly Kind[] = [Kind.edit, Kind.generation, Kind.treeline]
/** The rest of those in a translation were made by its reader and are part of it. */
const MADE_ANEW: readonly Kind[] = [Kind.edit, Kind.generation]

const GIVEN: ReadonlySet<string> = new Set(['id', 'parentId', 'inverse', 'auto', 'by'])

/** Compares a file with the session that was made of it. What is there but says something else is told and stays. */
export async function findNew(
  { session: source, translation }: OpenedFile,
  target: Session,
  notes: NoteList,
): Promise<News> {
  const { tree } = source
  const ids: string[] = []
  const known: string[] = []
  const allIds = new Set<string>()
  const restated: string[] = []
  const passedOver = translation === undefined ? OURS : MADE_ANEW
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    if (tree.columns.rowOf[ref] !== row) continue
    const id = tree.ids.textOf(ref)
    const kind = tree.columns.kind[ref]! as Kind
    const here = findHere(target.tree, id)
    allIds.add(here ?? foreignId(id))
    if (here !== undefined && kind === Kind.treeline && translation !== undefined) {
      for (const version of versionsOf(target.tree, here)) allIds.add(version)
      restated.push(id)
    } else if (here !== undefined) known.push(id)
    else if (!passedOver.includes(kind)) ids.push(id)
    // Those of a translation are made anew each time; what they say is taken from it.
    else if (translation === undefined)
      notes.count('left_out', 'An edit that was made to the file is not taken over', id)
  }
  const renamed = await findRestated(source, target, restated)
  for (const [id, version] of renamed) {
    ids.push(id)
    allIds.add(version)
  }
  let changedCount = 0
  for (let start = 0; start < known.length; start += ENTRIES_PER_READ) {
    changedCount += await compare(source, target, known.slice(start, start + ENTRIES_PER_READ), notes)
  }
  return { ids, knownCount: known.length, allIds, changedCount, renamed }
}

/** The ids under which something has been said, again and again: `config`, `config.v2`, `config.v3`. */
function versionsOf(tree: Tree, id: string): readonly string[] {
  const versions = [id]
  for (;;) {
    const next = nextVersion(id, versions.length)
    if (findHere(tree, next) === undefined) return versions
    versions.push(next)
  }
}

function nextVersion(id: string, count: number): string {
  return `${id}.v${count + 1}`
}

/** Of entries that say how things are, those that say it otherwise than they last did here, and a new id for each. */
async function findRestated(source: Session, target: Session, ids: readonly string[]): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  for (let start = 0; start < ids.length; start += ENTRIES_PER_READ) {
    const batch = ids.slice(start, start + ENTRIES_PER_READ)
    const versions = batch.map((id) => versionsOf(target.tree, findHere(target.tree, id)!))
    const theirs = await source.readEntries(batch)
    const ours = await target.readEntries(versions.map((all) => all.at(-1)!))
    for (const [i, id] of batch.entries()) {
      if (await isSaid(source, theirs[i], target, ours[i])) continue
      renamed.set(id, nextVersion(versions[i]![0]!, versions[i]!.length))
    }
  }
  return renamed
}

async function isSaid(source: Session, theirs: Entry | undefined, target: Session, ours: Entry | undefined) {
  if (theirs === undefined || ours === undefined) return theirs === undefined
  if (isSame(theirs, ours)) return true
  // Images and long texts may be in the file there and in a blob here.
  const [full, own] = [await source.readFull(theirs.id), await target.readFull(ours.id)]
  return full !== undefined && own !== undefined && isSame(full.entry, own.entry)
}

/** Under which id an entry of the file is in the session here, if it is. */
export function findHere(tree: Tree, id: string): string | undefined {
  return [id, foreignId(id)].find((one) => {
    const ref = tree.ids.find(one)
    return ref > ROOT && tree.columns.has(ref, Flag.known)
  })
}

/** How many of them say something else here. */
async function compare(source: Session, target: Session, ids: readonly string[], notes: NoteList): Promise<number> {
  let changedCount = 0
  const theirs = await source.readEntries(ids)
  const ours = await target.readEntries(ids.map((id) => findHere(target.tree, id)!))
  for (const [i, entry] of theirs.entries()) {
    const id = ids[i]!
    if (ours[i] === undefined || (await isSaid(source, entry, target, ours[i]))) continue
    notes.count('changed', 'An entry of the file has changed since it was imported; here it stays as it was', id)
    changedCount++
  }
  return changedCount
}

/**
 * Whether we have all that the file says, but for what an import or an export gives an entry: where it hangs, the second
 * spelling of a model, token counts of zero, what undo needs.
 */
function isSame(theirs: Entry, ours: Entry): boolean {
  const [left, right] = [withUsage(theirs), withUsage(ours)]
  return Object.keys(left).every((key) => GIVEN.has(key) || isDeepStrictEqual(left[key], right[key]))
}
