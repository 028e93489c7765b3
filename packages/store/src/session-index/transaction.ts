import type { IndexDatabase } from './index-database.ts'

/** All of the work, or nothing of it. The connection is used for nothing else meanwhile. */
export async function inTransaction<T>(db: IndexDatabase, work: () => Promise<T> | T): Promise<T> {
  db.sql.exec('BEGIN IMMEDIATE')
  try {
    const result = await work()
    db.sql.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite has rolled back by itself after some errors.
    if (db.sql.isTransaction) db.sql.exec('ROLLBACK')
    throw error
  }
}
