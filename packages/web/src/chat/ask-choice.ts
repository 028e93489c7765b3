import type { GenerateSpec } from '@treeline/protocol'

/** Who is asked, and how often each. */
export interface AskChoice {
  /** None for whoever the session is set to. */
  readonly models: readonly string[]
  readonly times: number
}

/** The server's limit for answers side by side. */
export const MAX_ANSWERS = 8

const ONCE: AskChoice = { models: [], times: 1 }
const KEPT = 'treeline.ask.'

export function toSpecs({ models, times }: AskChoice): GenerateSpec[] {
  const asked = models.length === 0 ? [{}] : models.map((model) => ({ model }))
  return Array.from({ length: times }, () => asked)
    .flat()
    .slice(0, MAX_ANSWERS)
}

/** As it was chosen last in this session. How often is not kept: asking three times once is not asking three times always. */
export function readChoice(sessionId: string): AskChoice {
  const kept = localStorage.getItem(KEPT + sessionId)
  const models = kept === null ? [] : kept.split('\n').filter((ref) => ref !== '')
  return { ...ONCE, models }
}

export function keepChoice(sessionId: string, { models }: AskChoice): void {
  if (models.length === 0) localStorage.removeItem(KEPT + sessionId)
  else localStorage.setItem(KEPT + sessionId, models.join('\n'))
}
