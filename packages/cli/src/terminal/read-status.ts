import { type Agent, readAllowed } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Status } from './chat-snapshot.ts'

/** What the next call would be: its model, how hard it thinks, how much is sent. The cost is what was paid, not known here. */
export async function readStatus(agent: Agent, session: Session): Promise<Partial<Status>> {
  const { settings } = agent.env
  const { mode } = readAllowed(session, settings)
  try {
    const { model, size, thinking } = await agent.preview(session)
    return { model: model.ref, window: model.info.contextWindow, tokens: size.tokens, mode, thinking }
  } catch (error) {
    // A model that cannot be opened is told of when it is asked.
    if (!(error instanceof TreelineError)) throw error
    return { mode }
  }
}
