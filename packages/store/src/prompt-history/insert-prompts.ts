import { type DatabaseSync, SQLITE, sqliteCodeOf } from '../sqlite.ts'

export interface NewPrompt {
  readonly prompt: string
  readonly cwd: string
  /** Seconds, as the other tools count. */
  readonly createdAt: number
}

/**
 * Inserts prompts in their order, in the transaction of the caller, unless the latest of the same working directory says
 * the same: whoever wrote that one (S35). Returns those that the database refuses.
 */
export function insertPrompts(database: DatabaseSync, prompts: readonly NewPrompt[]): readonly NewPrompt[] {
  const latest = database.prepare('SELECT prompt FROM history WHERE cwd = ? ORDER BY id DESC LIMIT 1')
  const insert = database.prepare('INSERT INTO history (prompt, created_at, cwd) VALUES (?, ?, ?)')
  // oh-my-pi keeps a text once: there the old row becomes the newest.
  const renew = database.prepare(
    'UPDATE history SET id = (SELECT max(id) FROM history) + 1, created_at = ?, cwd = ? WHERE prompt = ?',
  )
  return prompts.filter(({ prompt, cwd, createdAt }) => {
    if (latest.get(cwd)?.prompt === prompt) return false
    try {
      insert.run(prompt, createdAt, cwd)
      return false
    } catch (error) {
      if (sqliteCodeOf(error) !== SQLITE.constraint) throw error
      return renew.run(createdAt, cwd, prompt).changes === 0
    }
  })
}
