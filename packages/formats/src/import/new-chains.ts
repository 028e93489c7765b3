import { type Entry, type EntryDraft, Flag, kindOf, placeOf, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from '../note.ts'
import type { NoteList } from '../note-list.ts'
import { readFullEntry, unreadableNote } from '../transcript/full-entry.ts'
import { findHere, type News } from './find-new.ts'
import { foreignId } from './foreign-id.ts'

/** So much is read, and written at once, before more is read. */
const BATCH_CHARS = 8 * 1024 * 1024
const ENTRIES_PER_READ = 64

/** Entries to be appended one under the other. */
export interface Chain {
  readonly parentId: string | null
  readonly drafts: EntryDraft[]
}

/** Entries that hang under each other follow each other in one write. */
export async function* chainsOf(
  source: Session,
  tree: Tree,
  { ids, renamed }: News,
  notes: NoteList,
): AsyncGenerator<Chain[]> {
  let chains: Chain[] = []
  let size = 0
  const written = new Set<string>()
  for await (const entry of readNew(source, parentsFirst(source.tree, ids), notes)) {
    const id = renamed.get(entry.id) ?? foreignId(entry.id)
    if (id !== entry.id && !renamed.has(entry.id))
      notes.count('changed', 'An id that can be none here was replaced', entry.id)
    const parentId = findParent(tree, entry, written, notes)
    const draft = { ...entry, id } as EntryDraft
    const last = chains.at(-1)
    if (last !== undefined && endOf(last) === parentId) last.drafts.push(draft)
    else chains.push({ parentId, drafts: [draft] })
    written.add(id)
    size += JSON.stringify(draft).length
    if (size < BATCH_CHARS) continue
    yield chains
    chains = []
    size = 0
  }
  if (chains.length > 0) yield chains
}

/** With images and long texts in their places. What hung under an entry that cannot be read hangs under the one above it. */
async function* readNew(source: Session, ids: readonly string[], notes: NoteList): AsyncGenerator<Entry> {
  const lost = new Map<string, string | null>()
  for (let start = 0; start < ids.length; start += ENTRIES_PER_READ) {
    const batch = ids.slice(start, start + ENTRIES_PER_READ)
    for (const [i, entry] of (await source.readEntries(batch)).entries()) {
      if (entry === undefined) {
        lost.set(batch[i]!, parentIdOf(source.tree, batch[i]!))
        notes.add(unreadableNote(batch[i]!))
        continue
      }
      const found: FormatNote[] = []
      const full = await readFullEntry(source, entry, found)
      for (const note of found) notes.add(note)
      let { parentId } = full
      while (parentId !== null && lost.has(parentId)) parentId = lost.get(parentId)!
      yield { ...full, parentId }
    }
  }
}

/** What an entry of the file hangs under here. Under a deleted or unfinished node nothing can: then the nearest above it. */
function findParent(tree: Tree, { id, parentId }: Entry, written: ReadonlySet<string>, notes: NoteList): string | null {
  if (parentId === null || written.has(foreignId(parentId))) return parentId && foreignId(parentId)
  const here = findHere(tree, parentId)
  if (here === undefined) {
    notes.count('changed', 'An entry whose parent is missing is a root here', id)
    return null
  }
  const { columns, ids } = tree
  const isGone = (ref: number) =>
    columns.has(ref, Flag.generating) || columns.has(columns.topOf(columns.ownerOf(ref)), Flag.deleted)
  let at = ids.find(here)
  if (!isGone(at)) return here
  while (at > ROOT && isGone(at)) at = columns.rawParent[at]!
  notes.count('changed', 'An entry under one that is deleted or unfinished here hangs under the one above that', id)
  return at > ROOT ? ids.textOf(at) : null
}

/** What the next entry of a chain would hang under. */
function endOf({ parentId, drafts }: Chain): string | null {
  const above = drafts.findLast(({ type, customType }) => placeOf(kindOf(type, customType)) !== 'aside')
  return above === undefined ? parentId : above.id!
}

function parentIdOf(tree: Tree, id: string): string | null {
  const parent = tree.columns.rawParent[tree.ids.find(id)]!
  return parent > ROOT ? tree.ids.textOf(parent) : null
}

/** In the file's order, but nobody before what it hangs under. */
function parentsFirst(tree: Tree, ids: readonly string[]): readonly string[] {
  const waiting = new Set(ids)
  const ordered: string[] = []
  for (const id of ids) {
    const above: string[] = []
    for (let at: string | null = id; at !== null && waiting.delete(at); at = parentIdOf(tree, at)) above.push(at)
    for (const one of above.reverse()) ordered.push(one)
  }
  return ordered
}
