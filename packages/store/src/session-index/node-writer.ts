import type { NodeDescription } from '../search/describe-node.ts'
import { gramsFeed, wordsFeed } from '../search/feed.ts'
import { roleCode } from '../search/roles.ts'
import type { IndexDatabase } from './index-database.ts'
import { FacetKind, NodeFlag, ZONE_BITS } from './schema.ts'
import type { NodePlace } from './session-source.ts'

const NEXT_DOCID = 'next_docid'

/** Puts the nodes of one log into the index and takes them out, within one transaction. */
export class NodeWriter {
  private readonly db: IndexDatabase
  private readonly fileId: number
  private readonly firstDocid: number
  private nextDocid: number

  constructor(db: IndexDatabase, fileId: number) {
    this.db = db
    this.fileId = fileId
    this.firstDocid = Number(db.readMeta(NEXT_DOCID) ?? 1)
    this.nextDocid = this.firstDocid
  }

  add({ id, offset, length }: NodePlace, timeMs: number, flags: number, description: NodeDescription): void {
    const { db, fileId } = this
    const { text, role, tools, paths, isError } = description
    const docid = this.nextDocid++
    const allFlags = isError ? flags | NodeFlag.error : flags
    db.prepare('INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
      docid,
      fileId,
      id,
      offset,
      length,
      timeMs,
      roleCode(role),
      allFlags,
    )
    for (const tool of tools) this.addFacet(FacetKind.tool, tool, docid)
    for (const path of paths) this.addFacet(FacetKind.path, path, docid)
    db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)').run(docid, wordsFeed(text))
    db.prepare('INSERT INTO grams (rowid, text) VALUES (?, ?)').run(docid, gramsFeed(text))
    db.prepare(`INSERT INTO zones VALUES (?1, ?2) ON CONFLICT (zone) DO UPDATE SET newest = max(newest, ?2)`).run(
      Math.floor(docid / 2 ** ZONE_BITS),
      timeMs,
    )
  }

  remove(docid: number): void {
    const { db } = this
    for (const table of ['words', 'grams'] as const) db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(docid)
    db.prepare('DELETE FROM facets WHERE docid = ?').run(docid)
    db.prepare('DELETE FROM nodes WHERE docid = ?').run(docid)
  }

  setFlags(docid: number, flags: number): void {
    this.db.prepare(`UPDATE nodes SET flags = (flags & ${NodeFlag.error}) | ?2 WHERE docid = ?1`).run(docid, flags)
  }

  /** A docid is never used again, also when its node is gone: a page of hits may be asked for after it. */
  finish(): void {
    if (this.nextDocid !== this.firstDocid) this.db.writeMeta(NEXT_DOCID, String(this.nextDocid))
  }

  private addFacet(kind: number, value: string, docid: number): void {
    this.db.prepare('INSERT OR IGNORE INTO facets VALUES (?, ?, ?)').run(kind, value, docid)
  }
}
