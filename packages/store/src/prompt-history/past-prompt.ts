/** What is kept of one prompt; the log has all of it. */
export const MAX_PROMPT_CHARS = 1_000_000
const MAX_CWD_CHARS = 4_096

export interface PastPrompt {
  readonly id: number
  /** As it was sent, without blanks around it; the first 1,000,000 characters. Show it through `plainText`. */
  readonly prompt: string
  readonly cwd: string | undefined
  /** ISO 8601, to the second. */
  readonly createdAt: string | undefined
}

/** SQLite keeps neither NULs nor lone surrogates; of a very long prompt the beginning is kept. */
export function toStoredPrompt(prompt: string): string {
  return toStorable(prompt.trim().slice(0, MAX_PROMPT_CHARS))
}

export function toStoredCwd(cwd: string): string {
  return toStorable(cwd.slice(0, MAX_CWD_CHARS))
}

export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** `undefined` for a row that no history has: the file may hold anything. */
export function readPastPrompt(row: Readonly<Record<string, unknown>>): PastPrompt | undefined {
  const { id, prompt, cwd, created_at: seconds } = row
  if (typeof id !== 'number' || typeof prompt !== 'string') return undefined
  return { id, prompt, cwd: typeof cwd === 'string' ? cwd : undefined, createdAt: toIso(seconds) }
}

function toIso(seconds: unknown): string | undefined {
  const date = new Date(typeof seconds === 'number' ? seconds * 1_000 : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
