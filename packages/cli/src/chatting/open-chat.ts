import { resolve } from 'node:path'
import type { Agent } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import {
  findTerminalId,
  leaveBreadcrumb,
  openMemoryStore,
  openPromptHistory,
  preferredBy,
  type Session,
  type SessionStore,
} from '@treeline/store'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { findTarget } from '../target.ts'
import type { ResumePlan } from '../terminal/picker/plan-resume.ts'
import { forkHere } from './fork-here.ts'
import { openOwnFile } from './own-file.ts'

export interface ChatChoice {
  readonly continue?: boolean
  readonly resume?: string
  readonly session?: string
  readonly fork?: string
  readonly 'no-session'?: boolean
}

/** A session to talk in. */
export interface Chat extends AsyncDisposable {
  readonly session: Session
  readonly isKept: boolean
  /** Notes the prompt and that this terminal works on this session. */
  remember(prompt: string): Promise<void>
}

/** The session that is meant, ready to go on: what a crash left is put in order first. `plan`: it was chosen already. */
export async function openChat(
  context: Context,
  agent: Agent,
  cwd: string,
  choice: ChatChoice,
  plan?: ResumePlan,
): Promise<Chat> {
  if (choice['no-session']) return unkept(cwd)
  const store = await context.store()
  const session =
    plan === undefined ? await findSession(context, store, cwd, choice) : await openPlanned(context, store, plan)
  const { closed, calls, commandIds, problems } = await agent.recover(session)
  const count = closed.length + calls.length + commandIds.length
  if (count > 0)
    context.out.note(paint('warn', `${counted(count, 'thing')} that a crash cut off: marked, nothing was run again.`))
  for (const { message } of problems) context.out.note(paint('warn', message))
  return {
    session,
    isKept: true,
    remember: (prompt) => remember(context, session, cwd, prompt),
    [Symbol.asyncDispose]: () => session.close(),
  }
}

/** Before anything is opened. */
export function refuseTwo(choice: ChatChoice): void {
  const given = Object.entries(choice).filter(([name, value]) => value !== undefined && CHOICES.includes(name))
  if (given.length < 2) return
  const names = given.map(([name]) => `--${name}`).join(' and ')
  throw new TreelineError('bad_request', `${names} each name a session. Give one of them.`)
}

const CHOICES: readonly string[] = ['continue', 'resume', 'session', 'fork', 'no-session']

async function unkept(cwd: string): Promise<Chat> {
  const store = await openMemoryStore()
  const session = await store.create({ cwd })
  const dispose = () => store.close()
  return { session, isKept: false, remember: async () => {}, [Symbol.asyncDispose]: dispose }
}

async function findSession(
  context: Context,
  store: SessionStore,
  cwd: string,
  { continue: isContinued, resume, session, fork }: ChatChoice,
): Promise<Session> {
  if (fork !== undefined) return forkHere(store, await findTarget(context, fork), { cwd, warn: warnAt(context) })
  if (isContinued) return continueHere(context, store, cwd)
  const given = session ?? resume
  if (given === undefined) return store.create({ cwd })
  const own = await openOwnFile(context, cwd, session)
  if (own !== undefined) return own
  return resumeHere(context, store, await findTarget(context, given), cwd)
}

/** What this terminal had last, also where that is a file outside of the home; or else the latest of the project. */
async function continueHere(context: Context, store: SessionStore, cwd: string): Promise<Session> {
  const home = await context.home()
  const path = await preferredBy(home, terminalOf(context))(cwd)
  if (path === undefined || home.paths.isSessionFile(path)) {
    return store.continueRecent({ cwd, preferred: async () => path })
  }
  return (await openOwnFile(context, cwd, path)) ?? store.continueRecent({ cwd })
}

function openPlanned(context: Context, store: SessionStore, plan: ResumePlan): Promise<Session> | Session {
  const { how, path, cwd, nodeId, session } = plan
  if (how === 'fork') return forkHere(store, path, { cwd, nodeId, warn: warnAt(context) })
  return session ?? store.openPath(path)
}

/** One of another tool is continued as a fork; of one of another project the user is asked. */
async function resumeHere(context: Context, store: SessionStore, path: string, cwd: string): Promise<Session> {
  const { paths } = await context.home()
  if (!paths.isSessionFile(path)) return forkHere(store, path, { cwd, warn: warnAt(context) })
  const session = await store.openPath(path)
  const { header } = session
  if (header.cwd === '' || resolve(header.cwd) === cwd) return session
  try {
    const question = `Session ${shortId(session.id)} is about ${header.cwd}. Fork it into ${cwd}?`
    if (await context.confirm(question, `--fork ${shortId(session.id)}, or --cwd ${shellWord(header.cwd)}`)) {
      return await store.fork(session, { cwd })
    }
    throw new TreelineError(
      'bad_request',
      `Nothing was done. \`--cwd ${shellWord(header.cwd)}\` goes on with it there.`,
    )
  } finally {
    await session.close()
  }
}

async function remember(context: Context, session: Session, cwd: string, prompt: string): Promise<void> {
  const problem = await rememberSession(context, session, cwd)
  if (problem !== undefined) context.out.note(paint('warn', problem))
  await using history = openPromptHistory({ home: await context.home() })
  history.add(prompt, cwd)
}

/** This terminal works on this session now: `treeline -c` finds it. Gives what keeps that from being noted. */
export async function rememberSession(context: Context, session: Session, cwd: string): Promise<string | undefined> {
  const home = await context.home()
  return (await leaveBreadcrumb(home, terminalOf(context), { cwd, path: session.path }))?.message
}

function warnAt({ out }: Context): (message: string) => void {
  return (message) => out.note(paint('warn', message))
}

function terminalOf({ env }: Context): string | undefined {
  return findTerminalId(env)
}
