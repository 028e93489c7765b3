import { type EditRequestOp, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { NoteList } from '../note-list.ts'
import type { OpenedFile } from '../open-session-file.ts'
import { findHere, type News } from './find-new.ts'
import { chainsOf } from './new-chains.ts'
import { findOwnWork } from './own-work.ts'
import { listStated } from './stated.ts'

/**
 * Appends what is new under the parents it has in the file, in as few writes as its size allows. The leaf goes where the
 * file has it, unless somebody has worked on the session here: then leaf, name and labels stay as they are. So do, for an
 * export of ours, title and settings. Returns how many entries came.
 */
export async function appendNew(
  target: Session,
  { session: source, translation }: OpenedFile,
  news: News,
  notes: NoteList,
  isExport: boolean,
): Promise<number> {
  const own = await findOwnWork(target, news)
  const leafBefore = target.leafId
  let added = 0
  for await (const chains of chainsOf(source, target.tree, news, notes)) {
    const writes = chains.map(({ parentId, drafts }, i) => {
      const isLast = i === chains.length - 1
      return target.appendAll(drafts, { parentId, ...(isLast && own.isWorked && { leafAfter: leafBefore }) })
    })
    for (const entries of await Promise.all(writes)) added += entries.length
  }
  const leafId = own.isWorked ? leafBefore : hereOrNull(target.tree, source.leafId)
  const stated = translation === undefined ? [] : listStated(target, translation, isExport ? news.ids : undefined)
  // A log's leaf moves with what is appended to it; other files say where it is.
  const isMoved = added > 0 || (translation !== undefined && !isExport)
  const operations = [...stated, ...own.restoring(target), ...(isMoved ? leafOperation(target, leafId) : [])]
  if (operations.length > 0) await editLeniently(target, operations, notes)
  return added
}

function leafOperation(target: Session, leafId: string | null): EditRequestOp[] {
  return target.leafId === leafId ? [] : [{ op: 'leaf', leafId }]
}

function hereOrNull(tree: Tree, id: string | null): string | null {
  return id === null ? null : (findHere(tree, id) ?? null)
}

/** All together where that is possible; else one by one, and what is refused is told. */
async function editLeniently(target: Session, operations: readonly EditRequestOp[], notes: NoteList): Promise<void> {
  try {
    await target.edit({ operations, auto: true })
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    if (operations.length > 1) for (const op of operations) await editLeniently(target, [op], notes)
    else notes.add({ kind: 'left_out', message: `An edit is left out: ${error.message}` })
  }
}
