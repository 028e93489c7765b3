import { openDatabase } from '../../packages/store/src/sqlite.ts'
import { createRandom } from './random.ts'
import { SCALE, scaled } from './sessions.ts'
import { createTexts } from './texts.ts'
import type { Workspace } from './workspace.ts'

export type PromptMode = 'prefix' | 'substring'

/** What someone has written a few times, and looks for: less than a page of hits, so that scanning has to go to the end. */
const RARE = [
  'Rename openCursor to resolveParentCursor',
  'Please bisect the flaky WebSocket test',
  '日本語の説明を書いて',
]
const RARE_EVERY = 4_999
export const QUERIES: Readonly<Record<PromptMode, readonly string[]>> = {
  prefix: ['rename open', 'please bis', '日本語', 'n'.repeat(4)],
  substring: ['parentcurs', 'flaky websocket', '語の説明', 'nothing like it'],
}

export interface Prompts {
  readonly home: string
  readonly path: string
  /** Ids that the queries find, one after the other. */
  readonly found: Readonly<Record<PromptMode, string>>
}

/** A `history.db` as other tools leave it: 100,000 prompts of 20 to 2,000 characters. */
export function prompts100k(work: Workspace): Prompts {
  return work.input('prompts', 400_000_000 * SCALE, (home) => {
    const path = `${home}/history.db`
    const random = createRandom(35)
    const texts = createTexts(random)
    const prompts = Array.from({ length: scaled(100_000) }, (_, n) => {
      const text = texts.prose(random.size(20, 2_000)).trim()
      return n % RARE_EVERY === 7 ? `${random.pick(RARE)}. ${text}` : text
    })
    writePrompts(path, prompts)
    return { home, path, found: { prefix: idsFound(prompts, 'prefix'), substring: idsFound(prompts, 'substring') } }
  })
}

function writePrompts(path: string, prompts: readonly string[]): void {
  const database = openDatabase(path)
  database.exec(`CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL,
    created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), cwd TEXT); BEGIN`)
  const insert = database.prepare('INSERT INTO history (prompt, cwd) VALUES (?, ?)')
  for (const [n, prompt] of prompts.entries()) insert.run(prompt, `/home/dev/project-${n % 20}`)
  database.exec('COMMIT')
  database.close()
}

function idsFound(prompts: readonly string[], mode: PromptMode): string {
  const lower = prompts.map((prompt) => prompt.toLowerCase())
  const ids = QUERIES[mode].flatMap((query) => {
    const hits = lower.flatMap((text, n) =>
      (mode === 'prefix' ? text.startsWith(query) : text.includes(query)) ? n + 1 : [],
    )
    return hits.reverse()
  })
  return ids.join(' ')
}
