import type { TurnEvent } from '@treeline/agent'
import type { Session } from '@treeline/store'
import { t } from '../output/language.ts'
import type { ChatScreen } from './chat-screen.ts'
import { callTitle, toSaid } from './transcript/transcript.ts'

/** Of thoughts the end is shown while they come. */
const THOUGHT_CHARS = 2_000

/** Shows what happens in a turn, as it happens. */
export function turnTeller(screen: ChatScreen, session: Session): (event: TurnEvent) => Promise<void> {
  const asked = new Map<string, string>()
  let hasWarned = false

  async function addEntry(nodeId: string, title?: string): Promise<void> {
    const entry = await session.readEntry(nodeId)
    const said = entry === undefined ? [] : toSaid(entry)
    hasWarned = said.some(({ kind }) => kind === 'warning')
    screen.add(...said.map((one) => (title === undefined ? one : { ...one, title })))
  }

  return async (event) => {
    switch (event.type) {
      case 'prompted':
        return addEntry(event.nodeId)
      case 'started':
        return screen.set({ live: { text: '', isThinking: false } })
      case 'delta':
        return screen.setLive(({ text, thoughts = '' }) =>
          event.kind === 'thinking'
            ? { isThinking: true, thoughts: `${thoughts}${event.text}`.slice(-THOUGHT_CHARS) }
            : { isThinking: false, text: text + event.text },
        )
      case 'finished':
        screen.set({ live: undefined })
        screen.addCost(event.usage?.cost?.total ?? 0)
        return addEntry(event.nodeId)
      case 'failed':
        screen.set({ live: undefined })
        return addEntry(event.nodeId)
      case 'tool_asked':
        asked.set(event.toolCallId, callTitle(event.name, event.input))
        return
      case 'tool_started': {
        const tool = asked.get(event.toolCallId) ?? event.name
        return screen.set({ live: { text: '', isThinking: false, tool } })
      }
      case 'tool_output':
        return screen.addOutput(event.text)
      case 'tool_done':
        screen.set({ live: undefined })
        return addEntry(event.nodeId, asked.get(event.toolCallId))
      case 'retrying':
        return screen.warn(
          t('{message} Trying again in {seconds} s.', {
            message: event.message,
            seconds: Math.ceil(event.delayMs / 1000),
          }),
        )
      case 'compacting':
        return screen.show(t('The conversation is long: summing up its beginning …'))
      case 'compacted':
        return screen.show(
          t('{count} messages are summed up now. /undo takes that back.', { count: event.report.coveredIds.length }),
        )
      case 'notice':
        hasWarned = true
        return screen.warn(event.message)
      case 'ended':
        // An answer that was begun says so itself.
        if (event.reason === 'cancelled' && !hasWarned) screen.warn(t('Cancelled.'))
        return
      default:
        return
    }
  }
}
