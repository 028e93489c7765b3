import type { DurableEvent } from '@treeline/protocol'
import type { Followed, Session } from '@treeline/store'
import { type LogLine, nodesOfEvents, toEvents } from './to-events.ts'
import { withBodies } from './with-bodies.ts'

type FollowedLine = Pick<Extract<Followed, { type: 'entry' }>, 'row' | 'id'>

/** The events of a line that `session.follow` told of. */
export async function readEvents(
  session: Session,
  { row, id }: FollowedLine,
  told: Pick<LogLine, 'leaf' | 'cause'> = {},
): Promise<DurableEvent[]> {
  const entry = await session.readEntry(id)
  const line: LogLine = { sessionId: session.id, headerTitle: session.header.title, row, entry, ...told }
  return withBodies(
    session,
    (tree) => nodesOfEvents(tree, line),
    (tree, bodyOf) => toEvents(tree, line, bodyOf),
  )
}
