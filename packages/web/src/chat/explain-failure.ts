import type { ChatMessageNode } from '@treeline/protocol'
import { t } from '../words/language.ts'

/**
 * How an answer ended when it did not end well; on a line of its own what the provider says, of which an error that is
 * wrapped in JSON is unwrapped. `undefined` of one that ended well.
 */
export function explainFailure({ status, metadata = {} }: Pick<ChatMessageNode, 'status' | 'metadata'>) {
  const { error, finishReason } = metadata
  if (finishReason === 'length') return t('It stopped at the longest answer allowed. Say “go on” to get the rest.')
  if (finishReason === 'cancelled') return t('You stopped it here.')
  if (status !== 'error') return undefined
  if (error === 'interrupted') return t('The server was stopped while this was written. What had come is kept.')
  if (error === undefined || error === 'error') return t('No answer came, and nobody said why.')
  return `${t('The model could not be asked, or did not answer.')}\n${unwrap(error)}`
}

/** `529 {"error":{"message":"Overloaded"}}` is `529 Overloaded`. */
export function unwrap(error: string): string {
  const from = error.indexOf('{')
  if (from < 0 || !error.trimEnd().endsWith('}')) return error
  try {
    const said = messageIn(JSON.parse(error.slice(from)))
    return said === undefined ? error : `${error.slice(0, from)}${said}`
  } catch {
    // It only looked like JSON: then it is shown as it came.
    return error
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { message, error } = value as { readonly message?: unknown; readonly error?: unknown }
  if (typeof message === 'string' && message !== '') return message
  return typeof error === 'string' ? error : messageIn(error)
}
