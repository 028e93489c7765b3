// Pi's side: its own SessionManager, through the package's public entry.
import { statSync } from 'node:fs'
import { initTheme, SessionManager, TreeSelectorComponent } from '@earendil-works/pi-coding-agent'
import { type Message, makeMessages } from '../inputs/messages.ts'
import { median } from '../statistics.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { factsOfSummaries } from './summaries.ts'

/** Of the terminal that Treeline's program has in the same row. */
const COLUMNS = 80
const ROWS = 24
const ESCAPE = '\u001b'

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

/**
 * Types a word into its tree selector as its program has it, letter by letter: what a key changes and the lines of the next
 * frame, not the terminal. Facts: hits of the whole word, p50Ms, slowestMs; before that, openMs.
 */
const search: Action = ({ path, query }) => {
  initTheme('dark')
  const session = SessionManager.open(path!)
  const ignore = (): void => {}
  const start = performance.now()
  const selector = new TreeSelectorComponent(session.getTree(), session.getLeafId(), ROWS, ignore, ignore)
  selector.render(COLUMNS)
  const openMs = performance.now() - start
  const press = (key: string): { readonly ms: number; readonly lines: readonly string[] } => {
    const start = performance.now()
    selector.handleInput(key)
    const lines = selector.render(COLUMNS)
    return { ms: performance.now() - start, lines }
  }
  // Each key runs its loops 100,000 times, so that one is enough to have them compiled.
  press(query![0]!)
  press(ESCAPE)
  return prepared(
    () => [...query!].map(press),
    (pressed) => {
      const times = pressed.map(({ ms }) => ms)
      const shown = /\(\d+\/(\d+)\)/.exec(pressed.at(-1)!.lines.join('\n'))
      return { hits: Number(shown?.[1]), p50Ms: median(times), slowestMs: Math.max(...times), openMs }
    },
  )
}

await runChild({ open, append, fork, list, search })
