import { resolve } from 'node:path'
import type { Session, SessionStore } from '@treeline/store'
import { forkHere } from '../../chatting/open-chat.ts'
import { nameSessions } from '../../listing/session-names.ts'
import { sessionTable } from '../../listing/session-table.ts'
import { counted } from '../../output/amount.ts'
import { shortId } from '../../output/short-id.ts'
import { findTarget } from '../../target.ts'
import type { ChatActions } from '../chat-actions.ts'
import { answerWidth, plain } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_LISTED = 10

export const resumeCommand: SlashCommand = {
  name: 'resume',
  args: '[ID]',
  help: 'go on with another session; without ID, list them',
  async run(actions, rest) {
    if (rest === '') return actions.show(await listLatest(actions))
    const { context, session: before } = actions
    const path = await findTarget(context, rest)
    if (path === before.path) return actions.show('You are in it.')
    const problems: string[] = []
    const { session, isFork } = await openHere(actions, await context.store(), path, (message) =>
      problems.push(message),
    )
    const cutOff = await recover(actions, session)
    await actions.switchTo(session)
    for (const message of [...problems, ...cutOff]) actions.warn(message)
    const what = isFork ? `It belongs elsewhere, so this is a copy of it: ${shortId(session.id)}` : 'Here it goes on'
    actions.show(`${what}. The one before: /resume ${shortId(before.id)}`)
  },
}

/** One of this project as it is, any other as a fork: nobody can be asked in the middle of a chat, and a fork harms nothing. */
async function openHere(
  { context, cwd }: ChatActions,
  store: SessionStore,
  path: string,
  warn: (message: string) => void,
): Promise<{ readonly session: Session; readonly isFork: boolean }> {
  const { paths } = await context.home()
  if (paths.isSessionFile(path)) {
    const session = await store.openPath(path)
    const { header } = session
    if (header.cwd === '' || resolve(header.cwd) === cwd) return { session, isFork: false }
    await session.close()
  }
  return { session: await forkHere(store, path, cwd, warn), isFork: true }
}

/** Puts in order what a crash left, and tells of it. */
async function recover({ agent }: ChatActions, session: Session): Promise<readonly string[]> {
  try {
    const { closed, calls, commandIds, problems } = await agent.recover(session)
    const count = closed.length + calls.length + commandIds.length
    const told = `${counted(count, 'thing')} that a crash cut off: marked, nothing was run again.`
    return [...(count > 0 ? [told] : []), ...problems.map(({ message }) => message)]
  } catch (error) {
    await session.close()
    throw error
  }
}

async function listLatest(actions: ChatActions): Promise<string> {
  const { context, cwd } = actions
  const index = await context.index()
  const { sessions } = await index.list({ cwd, limit: MAX_LISTED, fresh: true })
  if (sessions.length === 0) return 'There is no session of this project yet.'
  const nameOf = await nameSessions(
    index,
    sessions.map(({ id }) => id),
  )
  const options = { width: answerWidth(actions), hasProject: false, userHome: context.env.HOME, nameOf }
  return `${plain(sessionTable(sessions, options))}\nGo on with one: /resume ID`
}
