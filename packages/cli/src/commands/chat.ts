import { resolve } from 'node:path'
import type { ThinkingLevel } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { approveAt } from '../chatting/approve.ts'
import { openChat } from '../chatting/open-chat.ts'
import { readPrompt } from '../chatting/read-prompt.ts'
import { exitCodeOf, readResult } from '../chatting/result.ts'
import { tellAsJson, tellAsStream, tellAsText } from '../chatting/tell-turn.ts'
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
    ['treeline -p --output stream-json "list the files"', 'every event as a line of JSON'],
  ],
  json:
    '{"sessionId","path":PATH|null,"model","reason","text","leafId","nodeIds":[],"usage":{…}|null,"cost","tools":[{"name","isError"}],' +
    '"error":{"code","message"}|null}; with --output stream-json a line for each event, then this with "type":"result"',
  async run({ args, options, context }) {
    if (!options.print) {
      const message = 'Only one question at a time so far: add --print (-p), as in `treeline -p "why?"`.'
      throw new TreelineError('bad_request', message)
    }
    const cwd = options.cwd === undefined ? context.cwd : resolve(context.cwd, options.cwd)
    const prompt = await readPrompt(context, args)
    const { paths } = await context.home()
    // Loaded here, because help and completion load this file too.
    const { createAgent } = await import('@treeline/agent')
    await using agent = await createAgent({
      home: paths.home,
      cwd,
      env: context.env,
      flags: {
        ...(options.model !== undefined && { model: options.model }),
        ...(options.mode !== undefined && { approvalMode: MODES.find((mode) => mode === options.mode) }),
      },
      ask: approveAt(context),
    })
    for (const { message } of agent.problems) context.out.note(paint('warn', message))
    await using chat = await openChat(context, agent, cwd, options)
    const { session } = chat
    await chat.remember(prompt)
    const tell = tellAs(context.out.isJson ? 'json' : options.output)(context, chat)
    const thinking = LEVELS.find((level) => level === options.thinking)
    const result = await readResult(
      session,
      tell,
      agent.run(session, prompt, { model: options.model, thinking, signal: context.signal }),
    )
    tell.end(result)
    if (chat.isKept) {
      await agent.idle()
      if (context.out.isTty) context.out.note(paint('faint', `Go on: treeline -p -r ${shortId(session.id)} "…"`))
    }
    return exitCodeOf(result)
  },
})

function tellAs(output: string | undefined) {
  if (output === 'stream-json') return tellAsStream
  return output === 'json' ? tellAsJson : tellAsText
}
