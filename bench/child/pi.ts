// Pi's side: its own SessionManager, through the package's public entry.
import { statSync } from 'node:fs'
import { SessionManager } from '@earendil-works/pi-coding-agent'
import { type Message, makeMessages } from '../inputs/messages.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { factsOfSummaries } from './summaries.ts'

type PiMessage = Parameters<SessionManager['appendMessage']>[0]

const open: Action = ({ path }) =>
  prepared(
    () => SessionManager.open(path!),
    (session) => ({ entries: session.getEntries().length, leafId: session.getLeafId() ?? '' }),
  )

/** Its append is synchronous, so however many are in flight, it is this loop. */
const append: Action = ({ home, append: options }) => {
  const { count } = options!
  const messages = makeMessages(1_024) as readonly Message[] as readonly PiMessage[]
  const session = SessionManager.create('/home/dev/project', home)
  // Pi makes the file with the first answer. Making it is not what is measured.
  for (const message of messages.slice(0, 2)) session.appendMessage(message)
  return prepared(
    () => {
      for (let i = 0; i < count; i++) session.appendMessage(messages[i % messages.length]!)
    },
    () => ({ appended: SessionManager.open(session.getSessionFile()!).getEntries().length - 2 }),
  )
}

/** From the open session, as kind as its API allows; its program reads the file again first. Nothing is synced. */
const fork: Action = ({ path, home }) => {
  const session = SessionManager.open(path!, home)
  const leafId = session.getLeafId()!
  return prepared(
    () => session.createBranchedSession(leafId)!,
    (made) => {
      const entries = SessionManager.open(made).getBranch()
      const messages = entries.filter(({ type }) => type === 'message').length
      return { messages, isWritten: statSync(made).size > messages ? 1 : 0 }
    },
  )
}

/** Reads `$PI_CODING_AGENT_DIR/sessions`, which the parent sets. */
const list: Action = () =>
  prepared(
    () => SessionManager.listAll(),
    (found) =>
      factsOfSummaries(
        found.map(({ id, firstMessage, modified, messageCount }) => ({
          id,
          firstPrompt: firstMessage,
          lastActivityMs: modified.getTime(),
          messageCount,
        })),
      ),
  )

await runChild({ open, append, fork, list })
