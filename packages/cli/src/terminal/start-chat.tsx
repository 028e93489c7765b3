import type { Agent } from '@treeline/agent'
import { openPromptHistory, type Session } from '@treeline/store'
import { render } from 'ink'
import { type Chat, rememberSession } from '../chatting/open-chat.ts'
import type { Context } from '../context.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { App } from './App.tsx'
import { ChatController } from './chat-controller.ts'

export interface ChatStart {
  readonly context: Context
  readonly agent: Agent
  readonly chat: Chat
  readonly cwd: string
  /** Said at once. */
  readonly prompt: string
  /** Gives the agent somebody to ask. */
  readonly onAsk: (ask: ChatController['ask']) => void
}

const HISTORY = 200

/** Runs the chat until the user leaves. Resolves with the exit code. */
export async function startChat({ context, agent, chat, cwd, prompt, onAsk }: ChatStart): Promise<number> {
  const home = await context.home()
  await using history = openPromptHistory({ home })
  const earlier = (await history.recent({ cwd, limit: HISTORY })).map((past) => past.prompt)
  let leave = (): void => {}
  const onPrompt = async (session: Session, said: string): Promise<void> => {
    history.add(said, cwd)
    if (chat.isKept) await rememberSession(context, session, cwd)
  }
  const onSwitch = async (session: Session): Promise<void> => {
    if (chat.isKept) await rememberSession(context, session, cwd)
  }
  const parts = { agent, context, session: chat.session, cwd, onPrompt, onSwitch, onQuit: () => leave() }
  const controller = new ChatController(parts)
  onAsk(controller.ask)
  await controller.reload()
  if (controller.getSnapshot().said.length === 0) controller.show(welcome(controller.getSnapshot().status.model))
  // From the first moment: what is typed or pasted before the first frame is not for the terminal to echo.
  process.stdin.setRawMode?.(true)
  const app = render(<App controller={controller} isUnicode={isUnicode(context)} history={earlier} />, {
    exitOnCtrlC: false,
    patchConsole: false,
  })
  leave = () => app.unmount()
  if (prompt !== '') void controller.submit(prompt)
  await app.waitUntilExit()
  await agent.idle()
  const { session } = controller
  if (session !== chat.session) await session.close()
  if (chat.isKept && session.leafId !== null) {
    const name = session.name === undefined ? '' : ` “${session.name}”`
    context.out.note(paint('faint', `Kept${name}. Go on: treeline -c, or treeline -r ${shortId(session.id)}`))
  }
  return 0
}

function welcome(model: string): string {
  const hint = model.startsWith('demo/')
    ? 'No key is set, so the built-in demo answers. For real answers: treeline auth set anthropic, or start Ollama.'
    : `${model} answers.`
  return `Treeline keeps this conversation as a tree.\n${hint}\nEsc Esc goes back to an earlier prompt, /tree shows all, /help the rest.`
}

/** By the locale, as other programs do; the bare console of Linux draws only few characters. */
function isUnicode({ env }: Context): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'linux'
}
