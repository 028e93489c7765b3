import { openDatabase } from '../../packages/store/src/sqlite.ts'
import { QUERIES } from '../inputs/prompts.ts'
import { type Action, prepared } from './job.ts'

const LIMIT = 50

/** Reads prompts newest first and compares each, without case, until there are enough. */
export const iteratePrompts: Action = ({ path, prompts }) => {
  const all = openDatabase(path!).prepare('SELECT id, prompt FROM history ORDER BY id DESC')
  const scan = (query: string): unknown[] => {
    const hits: unknown[] = []
    for (const { id, prompt } of all.iterate()) {
      const text = String(prompt).toLowerCase()
      if (!(prompts === 'prefix' ? text.startsWith(query) : text.includes(query))) continue
      hits.push(id)
      if (hits.length === LIMIT) break
    }
    return hits
  }
  return prepared(
    () => QUERIES[prompts!].flatMap(scan),
    (ids) => ({ found: ids.join(' ') }),
  )
}

/** The same by SQLite itself. */
export const likePrompts: Action = ({ path, prompts }) => {
  const like = openDatabase(path!).prepare('SELECT id FROM history WHERE prompt LIKE ? ORDER BY id DESC LIMIT ?')
  const patternOf = (query: string): string => (prompts === 'prefix' ? `${query}%` : `%${query}%`)
  return prepared(
    () => QUERIES[prompts!].flatMap((query) => like.all(patternOf(query), LIMIT).map(({ id }) => id)),
    (ids) => ({ found: ids.join(' ') }),
  )
}
