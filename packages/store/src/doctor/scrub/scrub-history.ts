import type { Home } from '../../home.ts'
import { openPromptHistory, type PromptHistory } from '../../prompt-history/prompt-history.ts'
import { modeOf } from '../file-mode.ts'
import type { SecretPattern } from './secret-pattern.ts'

const PAGE = 500

/** How many prompts of the history hold the secret, in the text or in the folder it was sent from. */
export async function countInHistory(home: Home, pattern: SecretPattern): Promise<number> {
  if (modeOf(home.paths.historyFile) === undefined) return 0
  await using history = openPromptHistory({ home })
  return (await findPrompts(history, pattern)).length
}

/** Also those with another spelling; the last step rewrites the database, so that no free page holds any of them. */
export async function removeFromHistory(home: Home, secret: string, pattern: SecretPattern): Promise<number> {
  if (modeOf(home.paths.historyFile) === undefined) return 0
  await using history = openPromptHistory({ home })
  const ids = await findPrompts(history, pattern)
  for (const id of ids) await history.remove(id)
  const { removed } = await history.removeContaining(secret)
  return ids.length + removed
}

async function findPrompts(history: PromptHistory, pattern: SecretPattern): Promise<number[]> {
  const ids: number[] = []
  let before: number | undefined
  for (;;) {
    const page = await history.recent({ limit: PAGE, before })
    for (const { id, prompt, cwd = '' } of page) if (pattern.isIn(prompt) || pattern.isIn(cwd)) ids.push(id)
    const last = page.at(-1)
    if (last === undefined || last.id === before) return ids
    before = last.id
  }
}
