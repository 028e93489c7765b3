import type { FileStat } from '../storage/storage.ts'
import { Answers } from './answers.ts'
import { findFile, writeFile } from './file-row.ts'
import type { IndexDatabase } from './index-database.ts'
import { NodeWriter } from './node-writer.ts'
import type { Pace } from './pace.ts'
import { inTransaction } from './transaction.ts'

/** Takes a log that is gone out of the index. */
export async function removeFile(db: IndexDatabase, fileId: number, pace: Pace): Promise<void> {
  await inTransaction(db, async () => {
    await removeContents(db, fileId, pace)
    db.prepare('DELETE FROM files WHERE file_id = ?').run(fileId)
  })
}

export interface BadFile {
  readonly path: string
  readonly source: string
  readonly stat: FileStat | undefined
  readonly problem: string
}

/** A log that cannot be read is listed with what the matter is, and with nothing of what it held before (I7). */
export async function writeProblem(db: IndexDatabase, file: BadFile, pace: Pace): Promise<void> {
  const { path, source, stat, problem } = file
  const known = findFile(db, path)
  const isTold = known?.problem === problem && known.identity === stat?.identity && known.size === stat.size
  if (isTold && known.mtime === stat?.mtimeMs) return
  await inTransaction(db, async () => {
    const fileId = writeFile(db, { ...NOTHING, path, source, stat, problem })
    await removeContents(db, fileId, pace)
  })
}

export async function removeNodes(db: IndexDatabase, nodes: NodeWriter, fileId: number, pace: Pace): Promise<void> {
  const select = db.prepare(`SELECT docid FROM nodes WHERE file_id = ? LIMIT ${SLICE}`)
  for (;;) {
    const found = select.all(fileId)
    if (found.length === 0) return
    for (const { docid } of found) {
      nodes.remove(docid as number)
      await pace.step()
    }
  }
}

const SLICE = 256

async function removeContents(db: IndexDatabase, fileId: number, pace: Pace): Promise<void> {
  await removeNodes(db, new NodeWriter(db, fileId), fileId, pace)
  const answers = new Answers(db, fileId)
  answers.removeAll()
  answers.finish()
}

const NOTHING = {
  sessionId: null,
  cwd: null,
  parentSession: null,
  name: null,
  createdAt: null,
  createdMs: Number.MAX_SAFE_INTEGER,
  lastActiveAt: null,
  lastActiveMs: 0,
  messageCount: 0,
  branchCount: 0,
  nodeCount: 0,
  lastLine: 0,
  leafId: null,
  tags: [],
  isPinned: false,
  isArchived: false,
  isLinear: false,
  rows: 0,
  mark: '',
  nodeStates: 0,
  unreadableCount: 0,
  firstPrompt: null,
  models: [],
  damageCount: 0,
} as const
