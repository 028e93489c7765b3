import type { Agent, ThinkingLevel } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { approveAt } from '../chatting/approve.ts'
import { findFolder } from '../chatting/find-folder.ts'
import { type Chat, openChat, refuseTwo } from '../chatting/open-chat.ts'
import { planChat } from '../chatting/plan-chat.ts'
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
    {
      name: 'PROMPT',
      help: 'what you want; more of it may come by standard input, - waits for it',
      optional: true,
      rest: true,
    },
  ],
  options: {
    print: { type: 'boolean', short: 'p', help: 'print the answer and leave' },
    output: { type: 'string', value: 'FORM', choices: OUTPUTS, help: 'how it is printed; text by default' },
    continue: { type: 'boolean', short: 'c', help: 'go on with the session this terminal had last, or the project' },
    resume: {
      type: 'string',
      short: 'r',
      value: 'SESSION',
      optionalValue: true,
      help: 'go on with this one; without a value, choose one',
    },
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
    ['npm test | treeline -p "Why does it fail?" -', 'the same, however long it takes to begin'],
    ['treeline -p "Explain @src/main.ts"', 'with a file; folders and images, too'],
    ['treeline -p -c "And in short?"', 'go on with the session of this terminal'],
    ['treeline -r', 'choose a session to go on with'],
    ['treeline chat', 'talk in the terminal; the word may be left out'],
    ['treeline -p --output stream-json "list the files"', 'every event as a line of JSON'],
  ],
  json:
    '{"sessionId","path":PATH|null,"model","reason","text","leafId","nodeIds":[],"usage":{…}|null,"cost","tools":[{"name","isError"}],' +
    '"error":{"code","message"}|null}; with --output stream-json a line for each event, then this with "type":"result"',
  async run({ args, options, context }) {
    const isChat = !options.print
    const hasTerminal = !context.isPiped && context.out.isTty
    if (options.resume === '' && !(isChat && hasTerminal)) {
      const message =
        'To choose a session takes a terminal, and no -p. Name one: `treeline -r SESSION`; `treeline ls` lists them.'
      throw new TreelineError('bad_request', message)
    }
    if (isChat && !hasTerminal) {
      const message = 'The chat needs a terminal. For one question without it: `treeline -p "why?"`.'
      throw new TreelineError('bad_request', message)
    }
    // It says that it only prints: what is drawn and erased would stand there as it is sent.
    if (isChat && context.env.TERM === 'dumb') {
      const message =
        'This terminal (TERM=dumb) cannot draw the chat. For one question without it: `treeline -p "why?"`.'
      throw new TreelineError('bad_request', message)
    }
    const here = findFolder(context, options.cwd)
    const prompt = isChat ? args.join(' ') : await readPrompt(context, args)
    const { paths } = await context.home()
    // What Ink colours with does not know of it, and looks when it is loaded.
    if (isChat && context.env.NO_COLOR) process.env.FORCE_COLOR = '0'
    refuseTwo(options)
    // Before anything else, because it may go on in another folder.
    const plan = isChat ? await planChat(context, here, options) : undefined
    if (plan === 'left') return 0
    const cwd = plan?.cwd ?? here
    // Loaded while the session is opened, which waits for the disk; and not at all where nothing is drawn.
    const drawing = isChat ? import('../terminal/start-chat.tsx') : undefined
    drawing?.catch(() => {})
    // Loaded here, because help and completion load this file too.
    const { createAgent, setModel, setThinkingLevel } = await import('../opening/agent.ts')
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
    // At a terminal before anything is opened or drawn; elsewhere the prompt is kept, whoever is to answer it.
    if (isChat && options.model !== undefined) await agent.env.models.open(options.model)
    await using chat = await openChat(context, agent, cwd, options, plan)
    if (isChat) {
      if (options.model !== undefined) await setModel(chat.session, options.model)
      const level = LEVELS.find((known) => known === options.thinking)
      if (level !== undefined) await setThinkingLevel(chat.session, level)
      const { startChat } = await drawing!
      return await startChat({
        context,
        agent,
        chat,
        cwd,
        prompt,
        landAt: plan?.nodeId,
        onAsk: (given) => (ask = given),
      })
    }
    return await answerOnce(context, agent, chat, { prompt, typed: args.join(' ') }, options)
  },
})

interface Asked {
  readonly prompt: string
  /** Of the command line: names of files are looked for there, and not in what comes by standard input. */
  readonly typed: string
}

interface AnswerOptions {
  readonly output?: string
  readonly model?: string
  readonly thinking?: string
}

async function answerOnce(
  context: Context,
  agent: Agent,
  chat: Chat,
  { prompt, typed }: Asked,
  options: AnswerOptions,
): Promise<number> {
  const { session } = chat
  const { model, thinking, output } = options
  const { attachMentions } = await import('../terminal/mentions/attach-mentions.ts')
  const asked = await attachMentions(agent.env, prompt, typed, context.signal)
  for (const problem of asked.problems) context.out.note(paint('warn', problem))
  await chat.remember(prompt)
  const tell = tellAs(context.out.isJson ? 'json' : output)(context, chat)
  const level = LEVELS.find((known) => known === thinking)
  const turn = agent.run(session, asked.prompt, { model, thinking: level, signal: context.signal })
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
