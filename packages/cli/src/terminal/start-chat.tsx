import { existsSync, realpathSync } from 'node:fs'
import type { Agent } from '@treeline/agent'
import { Flag, ROOT } from '@treeline/core'
import { defaultHome, discardEmpty, openPromptHistory, type PromptHistory, type Session } from '@treeline/store'
import { render } from 'ink'
import { NO_HISTORY } from '../chatting/no-history.ts'
import { type Chat, rememberSession } from '../chatting/open-chat.ts'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'
import { App } from './App.tsx'
import { ChatController } from './chat-controller.ts'
import { farewellText } from './farewell.ts'
import { Follower } from './following/follower.ts'
import { gatherPastes } from './pasting/gather-pastes.ts'
import { readStatus } from './read-status.ts'
import { speakLocale } from './speak-locale.ts'
import { Stage } from './stage.ts'
import { readTrunk } from './transcript/transcript.ts'
import { watchBell } from './watch-bell.ts'
import { welcomeText } from './welcome.ts'

export interface ChatStart {
  readonly context: Context
  readonly agent: Agent
  readonly chat: Chat
  readonly cwd: string
  /** Said at once. */
  readonly prompt: string
  /** The node to go to first. */
  readonly landAt?: string | undefined
  /** Gives the agent somebody to ask. */
  readonly onAsk: (ask: ChatController['ask']) => void
}

const HISTORY = 200

/** Runs the chat until the user leaves. Resolves with the exit code. */
export async function startChat({ context, agent, chat, cwd, prompt, landAt, onAsk }: ChatStart): Promise<number> {
  const { paths } = await context.home()
  const command = context.env.TREELINE_COMMAND || 'treeline'
  const isUnicode = await speakLocale(context.env)
  let leave = (): void => {}
  const opening = Promise.withResolvers<PromptHistory>()
  const remember = async (session: Session): Promise<void> => {
    const problem = await rememberSession(context, session, cwd)
    if (problem !== undefined) controller.warn(problem)
  }
  const onPrompt = async (session: Session, said: string): Promise<void> => {
    if (!chat.isKept) return
    const history = await opening.promise
    history.add(said, cwd)
    await remember(session)
  }
  /** Whoever looked in and said nothing leaves nothing behind. */
  const discard = async (left: Session): Promise<void> => {
    if (chat.isKept && !hasWords(left)) await discardEmpty(await context.home(), left.path, left.id)
  }
  const onSwitch = async (session: Session, before: Session): Promise<void> => {
    follower.follow(session)
    if (chat.isKept) await remember(session)
    // The chat is in the other one by now, and goes on there.
    await discard(before).catch((error: Error) => controller.warn(error.message))
  }
  /** What waited is not lost: ↑ brings it back the next time. */
  const keepUnsent = async (unsent: readonly string[]): Promise<void> => {
    const history = await opening.promise
    for (const said of unsent) history.add(said, cwd)
  }
  const onQuit = (unsent: readonly string[]): void => {
    if (unsent.length === 0 || !chat.isKept) leave()
    else void keepUnsent(unsent).finally(() => leave())
  }
  const parts = { agent, context, session: chat.session, cwd, onPrompt, onSwitch, onQuit }
  const controller = new ChatController(parts)
  const { screen } = controller
  const follower = new Follower(controller, isUnicode)
  onAsk(controller.ask)
  screen.replace(await readTrunk(chat.session))
  // From the first moment: what is typed or pasted before the first frame is not for the terminal to echo.
  process.stdin.setRawMode?.(true)
  gatherPastes(process.stdin)
  const stage = new Stage({
    stdout: process.stdout,
    isOurs: () => process.stdin.isRaw === true,
    onReprint: () => screen.reprint(),
  })
  const view = (prompts: PromptHistory, earlier: readonly string[]) => (
    <App controller={controller} isUnicode={isUnicode} history={earlier} prompts={prompts} />
  )
  const app = render(view(NO_HISTORY, []), { stdout: stage.stdout, exitOnCtrlC: false, patchConsole: false })
  stage.attach(app)
  screen.onReprint = () => stage.clear()
  const { bell } = agent.env.settings
  watchBell(screen, { bell, ring: () => process.stdout.write('\u0007') })
  const left = app.waitUntilExit()
  let isLeft = false
  leave = () => {
    if (isLeft) return
    isLeft = true
    stage.close()
    // What can be typed no more is not left standing.
    app.rerender(null)
    app.unmount()
  }
  try {
    // What the first frame can do without comes after it.
    await app.waitUntilRenderFlush()
    follower.follow(chat.session)
    // A session that is gone on with is what this terminal works on, also before the next word.
    if (chat.isKept && hasWords(chat.session)) await remember(chat.session)
    // A chat that keeps nothing reads what is there, and makes nothing.
    const isRead = chat.isKept || existsSync(paths.historyFile)
    await using history = isRead ? openPromptHistory({ home: await context.home() }) : NO_HISTORY
    opening.resolve(history)
    const earlier = (await history.recent({ cwd, limit: HISTORY })).map((past) => past.prompt)
    if (!isLeft) app.rerender(view(history, earlier))
    const isFirst = earlier.length === 0 && (await history.recent({ limit: 1 })).length === 0
    if (screen.getSnapshot().said.length > 0) await controller.refreshStatus()
    else {
      const status = await readStatus(agent, chat.session)
      const home = chat.isKept ? paths.home : undefined
      controller.show(welcomeText({ command, model: status.model ?? '', home, isFirst }))
      screen.set({ status: { ...screen.getSnapshot().status, ...status } })
    }
    if (landAt !== undefined) await controller.resume({ path: chat.session.path, nodeId: landAt })
    if (prompt !== '') void controller.submit(prompt)
    await left
    follower.end()
    await agent.idle()
  } finally {
    leave()
  }
  const { session } = controller
  if (chat.isKept && hasWords(session) && existsSync(session.path)) {
    const { status } = screen.getSnapshot()
    const isOwn = paths.isSessionFile(session.path)
    const homeOption = isUsualHome(paths.home, context) ? undefined : paths.home
    const facts = { command, session, status, cwd, shellCwd: context.cwd, homeOption, isOwn }
    context.out.note(paint('faint', farewellText(facts)))
  }
  await session.close()
  await discard(session)
  return 0
}

/** On any branch: who went back to the very beginning left the others behind. A choice of a model alone is no word. */
function hasWords({ tree: { columns, ids } }: Session): boolean {
  for (let ref = ROOT + 1; ref < ids.count; ref++) if (columns.has(ref, Flag.node)) return true
  return false
}

/** Whether a shell finds it without being told where it is. */
function isUsualHome(home: string, { env }: Context): boolean {
  const usual = defaultHome(env)
  return home === usual || (existsSync(usual) && home === realpathSync(usual))
}
