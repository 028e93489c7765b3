import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoryDatabase } from './history-database.ts'
import { isBlank, isIndexed, type SearchMode, toIndexedText, toNeedle } from './history-index.ts'
import { MAX_PROMPT_CHARS, type PastPrompt, readPastPrompt } from './past-prompt.ts'
import { pagesOf, pagesWith, type ReadPage } from './prompt-pages.ts'
import { retryBusy } from './retry-busy.ts'

export interface Wanted {
  readonly cwd: string | undefined
  readonly before: number
  readonly limit: number
  readonly isDistinct: boolean
  readonly signal: AbortSignal | undefined
}

/** Rows read and compared before the clock is looked at; long prompts make them slow. */
const STEP = 32
const SLICE_MS = 8

/** Compared with the indexed text first, as long as that is there: far quicker than to fold each prompt again. */
const ROW = `
  SELECT id, substr(prompt, 1, ${MAX_PROMPT_CHARS}) AS prompt, CAST(created_at AS REAL) AS created_at, cwd
  FROM history WHERE id = ?1 AND (?2 IS NULL OR cwd = ?2)
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM treeline_grams_content WHERE id = ?1 AND instr(c0, ?3) > 0))`

export function findRecent(history: HistoryDatabase, wanted: Wanted): Promise<PastPrompt[]> {
  return collect(history, wanted, pagesOf(wanted.cwd), null)
}

export function findMatching(
  history: HistoryDatabase,
  text: string,
  mode: SearchMode,
  wanted: Wanted,
): Promise<PastPrompt[]> {
  const needle = toNeedle(text, mode)
  if (isBlank(needle)) return findRecent(history, wanted)
  return collect(history, wanted, pagesWith(needle, wanted.cwd), needle)
}

/** No statement stays open between turns: it would keep the journal from being emptied. */
async function collect(
  history: HistoryDatabase,
  { cwd, limit, isDistinct, signal, ...wanted }: Wanted,
  readPage: ReadPage,
  needle: string | null,
): Promise<PastPrompt[]> {
  const found: PastPrompt[] = []
  const seen = new Set<string>()
  const take = (past: PastPrompt): void => {
    if (found.length === limit || (isDistinct && seen.has(past.prompt))) return
    if (needle !== null && !toIndexedText(past.prompt).includes(needle)) return
    if (isDistinct) seen.add(past.prompt)
    found.push(past)
  }
  let sliceEnd = performance.now() + SLICE_MS
  const pause = async (): Promise<void> => {
    signal?.throwIfAborted()
    if (performance.now() < sliceEnd) return
    await nextTurn()
    sliceEnd = performance.now() + SLICE_MS
  }
  for (let before: number | undefined = wanted.before; before !== undefined && found.length < limit; ) {
    await pause()
    const under: number = before
    const page = await retryBusy(() => history.use((database) => readPage(database, under)))
    for (let at = 0; at < page.ids.length && found.length < limit; at += STEP) {
      await pause()
      for (const past of await readRows(history, page.ids.slice(at, at + STEP), cwd ?? null, needle)) take(past)
    }
    before = page.before
  }
  return found
}

function readRows(
  history: HistoryDatabase,
  ids: readonly number[],
  cwd: string | null,
  needle: string | null,
): Promise<PastPrompt[]> {
  return retryBusy(() =>
    history.use((database) => {
      const row = database.prepare(ROW)
      const indexedNeedle = isIndexed(database) ? needle : null
      return ids.flatMap((id) => {
        const values = row.get(id, cwd, indexedNeedle)
        return (values && readPastPrompt(values)) ?? []
      })
    }),
  )
}
