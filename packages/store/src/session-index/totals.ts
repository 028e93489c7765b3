import { sumOf } from './answers.ts'
import type { IndexDatabase } from './index-database.ts'
import type { Usage } from './session-index.ts'
import { number, toUsage } from './session-row.ts'
import type { Sources } from './sources.ts'

export interface Totals {
  readonly sessions: number
  readonly entries: number
  readonly usage: Usage
}

export function readTotals(db: IndexDatabase, sources: Sources): Totals {
  const names = [...sources.keys()]
  const [row] = db.selectLists(
    `SELECT count(*), ${sumOf('entry_count')}, ${sumOf('own_input_tokens')}, ${sumOf('own_output_tokens')},
     ${sumOf('own_cache_read_tokens')}, ${sumOf('own_cache_write_tokens')}, total(own_cost)
     FROM files WHERE source IN (${names.map(() => '?').join(', ')})`,
    names,
  )
  return { sessions: number(row![0]), entries: number(row![1]), usage: toUsage(row!, 2) }
}
