import { type EntryDraft, prepareMessage } from '@treeline/core'

/**
 * The JSON of messages that are about to be appended, made before the lock is taken: what is done under it, all writers
 * of the session wait for. A message is kept as it was when it was handed over.
 */
const texts = new WeakMap<object, string>()

export const preparedMessages: { get(message: object): string | undefined } = texts

export function preparedText({ message }: EntryDraft): string | undefined {
  return typeof message === 'object' && message !== null ? texts.get(message) : undefined
}

/** A copy of the draft that nobody else holds, whose message is known as text. */
export function withPreparedMessage(draft: EntryDraft): EntryDraft {
  const text = prepareMessage(draft.message)
  if (text === undefined) {
    // It may be one that was handed out with an entry, and changed since.
    texts.delete(draft.message as object)
    return draft
  }
  const message = { ...(draft.message as object) }
  keepText(message, text)
  return { ...draft, message }
}

/** `message` is nobody else's. */
export function keepText(message: object, text: string): void {
  texts.set(message, text)
}
