import { pathTo } from './filter-messages.ts'
import type { ContentPart, NormalizedMessage } from './normalized-message.ts'

/** What a fork leads to: where to go on, and what stands in the input to be changed and sent again. */
export interface Forked {
  /** The messages before that place. */
  readonly messages: NormalizedMessage[]
  /** The parent of what is said next; `null` begins anew, as after a fork of the first message (X27). */
  readonly parentUuid: string | null
  readonly text: string
  /** Images and the like, which would be lost otherwise (X30). */
  readonly attachments: readonly ContentPart[]
}

/**
 * Goes back to a message, of any branch (X28): what the user said is changed and said again beside it (N54–N56); from
 * anything else the conversation goes on below it (X29). `undefined` for an unknown id, and a line in the log (N53).
 *
 * @example
 * const forked = fork(messages, uuid)
 * if (forked) await history.addMessage({ role: 'user', content: forked.text, parentUuid: forked.parentUuid })
 */
export function fork(
  messages: readonly NormalizedMessage[],
  uuid: string,
  log: (line: string) => void = () => {},
): Forked | undefined {
  const target = messages.find((message) => message.uuid === uuid)
  if (target === undefined) {
    log(`Fork error: Message ${uuid} not found`)
    return undefined
  }
  const path = pathTo(messages, target)
  if (target.role !== 'user') return { messages: path, parentUuid: uuid, text: '', attachments: [] }
  const { content } = target
  const before = path.filter((message) => message !== target)
  // A parent that is not there cannot be gone on from.
  const parentUuid = before.some((message) => message.uuid === target.parentUuid) ? target.parentUuid : null
  if (typeof content === 'string') return { messages: before, parentUuid, text: content, attachments: [] }
  const text = content.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
  const attachments = content.filter(({ type }) => type !== 'text' && type !== 'tool_result')
  return { messages: before, parentUuid, text: text.join(''), attachments }
}
