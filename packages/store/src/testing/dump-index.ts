import { ZONE_BITS } from '../session-index/schema.ts'
import type { DatabaseSync } from '../sqlite.ts'
import { openDatabase } from '../sqlite.ts'

type Row = Readonly<Record<string, unknown>>

export interface IndexDump {
  readonly files: readonly Row[]
  readonly nodes: readonly Row[]
  readonly answers: readonly Row[]
  /** `term path#entry`, for every term of every node. */
  readonly words: readonly string[]
  readonly grams: readonly string[]
}

/**
 * Everything derived that an index holds, but for its own numbers, in an order that does not depend on them. Throws when
 * a table speaks of a node that is not there, or a zone of less than is in it.
 */
export function dumpIndex(path: string): IndexDump {
  const db = openDatabase(path, { timeout: 5000 })
  try {
    const nodes = db
      .prepare(
        `SELECT docid, path, entry_id, offset, length, time, role, flags FROM nodes JOIN files USING (file_id)
         ORDER BY path, offset`,
      )
      .all()
    const names = new Map(nodes.map(({ docid, path: file, entry_id: id }) => [docid, `${file}#${id}`]))
    if (count(db, 'nodes') !== nodes.length) throw new Error('Nodes without a file')
    checkZones(db)
    return {
      files: db.prepare('SELECT * FROM files ORDER BY path').all().map(withoutFileId),
      nodes: nodes.map(({ docid, ...node }) => ({ ...node, facets: facetsOf(db, docid) })),
      answers: db
        .prepare(
          `SELECT key, path, answers.input_tokens, answers.output_tokens, answers.cost, model, time, is_own FROM answers
           JOIN files USING (file_id) ORDER BY key, path`,
        )
        .all()
        .map((row) => ({ ...row })),
      words: termsOf(db, 'words', names),
      grams: termsOf(db, 'grams', names),
    }
  } finally {
    db.close()
  }
}

function withoutFileId({ file_id: _, ...row }: Row): Row {
  return row
}

function facetsOf(db: DatabaseSync, docid: unknown): readonly string[] {
  const rows = db.prepare('SELECT kind, value FROM facets WHERE docid = ? ORDER BY kind, value').all(docid as number)
  return rows.map(({ kind, value }) => `${kind} ${value}`)
}

function termsOf(db: DatabaseSync, table: 'words' | 'grams', names: ReadonlyMap<unknown, string>): readonly string[] {
  db.exec(`CREATE VIRTUAL TABLE temp.terms_of_${table} USING fts5vocab(main, ${table}, instance)`)
  const rows = db.prepare(`SELECT term, doc FROM terms_of_${table}`).all()
  return rows.map(({ term, doc }) => `${term} ${nameOf(names, doc, table)}`).sort()
}

function nameOf(names: ReadonlyMap<unknown, string>, docid: unknown, table: string): string {
  const name = names.get(docid)
  if (name === undefined) throw new Error(`${table} has a node ${docid} that is not there`)
  return name
}

function checkZones(db: DatabaseSync): void {
  const { bad } = db
    .prepare(
      `SELECT count(*) AS bad FROM nodes LEFT JOIN zones ON zone = docid >> ${ZONE_BITS} WHERE newest IS NULL OR newest < time`,
    )
    .get() as { readonly bad: number }
  if (bad > 0) throw new Error(`${bad} nodes are newer than their zone says`)
  const { lost } = db
    .prepare('SELECT count(*) AS lost FROM facets WHERE docid NOT IN (SELECT docid FROM nodes)')
    .get() as { readonly lost: number }
  if (lost > 0) throw new Error(`${lost} facets are of nodes that are not there`)
}

function count(db: DatabaseSync, table: 'nodes'): number {
  return (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { readonly n: number }).n
}
