import type { Agent } from '@treeline/agent'
import { openPromptHistory, type Session } from '@treeline/store'
import { render } from 'ink'
import { type Chat, rememberSession } from '../chatting/open-chat.ts'
import type { Context } from '../context.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { App } from './App.tsx'
import { ChatController } from './chat-controller.ts'
import { isUnicodeIn, speak, t } from './language.ts'

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
  const isUnicode = isUnicodeIn(context.env)
  speak({ isUnicode })
  const controller = new ChatController(parts)
  onAsk(controller.ask)
  await controller.reload()
  if (controller.screen.getSnapshot().said.length === 0)
    controller.show(welcome(controller.screen.getSnapshot().status.model))
  // From the first moment: what is typed or pasted before the first frame is not for the terminal to echo.
  process.stdin.setRawMode?.(true)
  const app = render(<App controller={controller} isUnicode={isUnicode} history={earlier} />, {
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
    ? t('No key is set, so the built-in demo answers. For real answers: treeline auth set anthropic, or start Ollama.')
    : t('{model} answers.', { model })
  const keys = t('Esc Esc goes back to an earlier prompt, /tree shows all, /help the rest.')
  return `${t('Treeline keeps this conversation as a tree.')}\n${hint}\n${keys}`
}
