import { type SessionShape, SessionWriter } from './session-writer.ts'
import { writeTurn } from './turn.ts'

export type Message = Readonly<Record<string, unknown>>

/** Messages to append, about 1.5 KB each as JSON: those of a session, in its order. */
export function makeMessages(count: number): Message[] {
  const messages: Message[] = []
  const shape: SessionShape = { seed: 64, branching: 0, textScale: 0.65 }
  const writer = new SessionWriter(shape, ({ message }) => {
    if (message !== undefined) messages.push(message as Message)
    return 0
  })
  while (messages.length < count) writeTurn(writer)
  return messages.slice(0, count)
}
