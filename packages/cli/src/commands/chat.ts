import { resolve } from 'node:path'
import type { Agent, ThinkingLevel } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { approveAt } from '../chatting/approve.ts'
import { type Chat, openChat } from '../chatting/open-chat.ts'
import { readPrompt } from '../chatting/read-prompt.ts'
import { exitCodeOf, readResult } from '../chatting/result.ts'
import { tellAsJson, tellAsStream, tellAsText } from '../chatting/tell-turn.ts'
import type { Context } from '../context.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'

const OUTPUTS = ['text', 'json', 'stream-json'] as const
const LEVELS: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']
const MODES = ['default', 'autoEdit', 'yolo'] as const

export const command = defineCommand({
  positionals: [
    { name: 'PROMPT', help: 'what you want; more of it may come by standard input', optional: true, rest: true },
  ],
  options: {
    print: { type: 'boolean', short: 'p', help: 'print the answer and leave' },
    output: { type: 'string', value: 'FORM', choices: OUTPUTS, help: 'how it is printed; text by default' },
    continue: { type: 'boolean', short: 'c', help: 'go on with the session this terminal had last, or the project' },
    resume: { type: 'string', short: 'r', value: 'SESSION', help: 'go on with this one' },
    session: { type: 'string', value: 'SESSION', help: 'the same; a file that is missing begins a session there' },
    fork: { type: 'string', value: 'SESSION', help: 'go on with a copy of its path, in this project' },
    'no-session': { type: 'boolean', help: 'keep nothing' },
    model: { type: 'string', short: 'm', value: 'MODEL', help: 'provider/model; treeline models lists them' },
    thinking: { type: 'string', value: 'LEVEL', choices: LEVELS, help: 'how hard it thinks' },
    mode: { type: 'string', value: 'MODE', choices: MODES, help: 'what runs without a question' },
    cwd: { type: 'string', value: 'DIR', help: 'the project; the current folder by default' },
  },
  details:
    'Asks a model, lets it use its tools, and keeps all of it as a session. "chat" may be left out: treeline -p "why?". ' +
    'Where nobody can be asked, tools that need an approval are denied; --mode says what needs none. Without a key the ' +
    'built-in demo answers.',
  examples: [
    ['treeline -p "What is in this folder?"', 'one question, answered and kept'],
    ['git diff | treeline -p "Review this"', 'with what comes by standard input'],
    ['treeline -p -c "And in short?"', 'go on with the session of this terminal'],
    ['treeline chat', 'talk in the terminal; the word may be left out'],
    ['treeline -p --output stream-json "list the files"', 'every event as a line of JSON'],
  ],
  json:
    '{"sessionId","path":PATH|null,"model","reason","text","leafId","nodeIds":[],"usage":{…}|null,"cost","tools":[{"name","isError"}],' +
    '"error":{"code","message"}|null}; with --output stream-json a line for each event, then this with "type":"result"',
  async run({ args, options, context }) {
    const isChat = !options.print
    if (isChat && (context.isPiped || !context.out.isTty)) {
      const message = 'The chat needs a terminal. For one question without it: `treeline -p "why?"`.'
      throw new TreelineError('bad_request', message)
    }
    const cwd = options.cwd === undefined ? context.cwd : resolve(context.cwd, options.cwd)
    const prompt = isChat ? args.join(' ') : await readPrompt(context, args)
    const { paths } = await context.home()
    // What Ink colours with does not know of it, and looks when it is loaded.
    if (isChat && context.env.NO_COLOR) process.env.FORCE_COLOR = '0'
    // Loaded here, because help and completion load this file too.
    const { createAgent, setModel } = await import('@treeline/agent')
    let ask = isChat ? undefined : approveAt(context)
    await using agent = await createAgent({
      home: paths.home,
      cwd,
      env: context.env,
      flags: {
        ...(options.model !== undefined && { model: options.model }),
        ...(options.thinking !== undefined && { thinkingLevel: LEVELS.find((level) => level === options.thinking) }),
        ...(options.mode !== undefined && { approvalMode: MODES.find((mode) => mode === options.mode) }),
      },
      ...((isChat || ask !== undefined) && { ask: (question, signal) => ask!(question, signal) }),
    })
    for (const { message } of agent.problems) context.out.note(paint('warn', message))
    await using chat = await openChat(context, agent, cwd, options)
    if (isChat) {
      if (options.model !== undefined) await setModel(chat.session, options.model)
      const { startChat } = await import('../terminal/start-chat.tsx')
      return await startChat({ context, agent, chat, cwd, prompt, onAsk: (given) => (ask = given) })
    }
    return await answerOnce(context, agent, chat, prompt, options)
  },
})

interface AnswerOptions {
  readonly output?: string
  readonly model?: string
  readonly thinking?: string
}

async function answerOnce(
  context: Context,
  agent: Agent,
  chat: Chat,
  prompt: string,
  options: AnswerOptions,
): Promise<number> {
  const { session } = chat
  const { model, thinking, output } = options
  await chat.remember(prompt)
  const tell = tellAs(context.out.isJson ? 'json' : output)(context, chat)
  const level = LEVELS.find((known) => known === thinking)
  const turn = agent.run(session, prompt, { model, thinking: level, signal: context.signal })
  const result = await readResult(session, tell, turn)
  tell.end(result)
  if (chat.isKept) {
    await agent.idle()
    if (context.out.isTty) context.out.note(paint('faint', `Go on: treeline -p -r ${shortId(session.id)} "…"`))
  }
  return exitCodeOf(result)
}

function tellAs(output: string | undefined) {
  if (output === 'stream-json') return tellAsStream
  return output === 'json' ? tellAsJson : tellAsText
}
