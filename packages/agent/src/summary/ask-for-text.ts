import { TreelineError, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { askModel, type Question } from '../models/ask-model.ts'
import type { Model } from '../models/model.ts'

export interface Text {
  readonly text: string
  readonly usage: Usage
}

/** What some local models think aloud before they answer. */
const THOUGHTS = /^\s*<(think|thinking)>[\s\S]*?<\/\1>/i

/** Asks for a text on a session's account. Throws when there is nothing in the answer. */
export async function askForText(env: AgentEnv, session: Session, model: Model, question: Question): Promise<Text> {
  await env.spend.check(session)
  const { text: said, usage, stopReason } = await askModel(env, model, question)
  await env.spend.note(session, usage)
  const text = said.replace(THOUGHTS, '').trim()
  if (text === '') {
    throw new TreelineError('provider_error', `${model.ref} gave an empty answer. Try again, or use another model.`)
  }
  return { text: stopReason === 'length' ? `${text}\n\n[cut off: ${model.ref} reached its output limit]` : text, usage }
}

const MAX_HALVINGS = 2

/** How many tokens a text has is a guess: when the model says it was too much, half of it is tried, and half of that. */
export async function withLessRoom<T>(tokens: number, attempt: (tokens: number) => Promise<T>): Promise<T> {
  for (let halvings = 0; ; halvings++) {
    try {
      return await attempt(Math.ceil(tokens / 2 ** halvings))
    } catch (error) {
      const isOverflow = error instanceof TreelineError && error.code === 'context_overflow'
      if (!isOverflow || halvings === MAX_HALVINGS) throw error
    }
  }
}
