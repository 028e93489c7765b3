import type { Model } from '../models/model.ts'

/** Whose dialect a model is spoken to in; `chat` is OpenAI's older one, which most others speak too. */
export type Wire = 'openai' | 'anthropic' | 'google' | 'chat'

export function wireOf({ api }: Pick<Model, 'api'>): Wire {
  if (api.startsWith('openai-responses')) return 'openai'
  if (api.startsWith('anthropic')) return 'anthropic'
  if (api.startsWith('google')) return 'google'
  return 'chat'
}
