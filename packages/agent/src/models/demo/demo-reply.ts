import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason } from '@ai-sdk/provider'
import { splitAttached } from '@treeline/core'
import { commentResults } from './demo-comment.ts'
import { demoJob } from './demo-jobs.ts'
import { textOf } from './demo-text.ts'
import { type DemoCall, planCalls } from './demo-tools.ts'

/** Everything it is going to say. */
export interface DemoReply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly (DemoCall & { readonly id: string })[]
  readonly finishReason: LanguageModelV4FinishReason
}

const LABEL = "I am Treeline's demo, not a real model: I answer by fixed rules."
const MAX_WORDS = 5_000
const QUOTED_CHARS = 200
const FILLER =
  'every conversation is a tree and every prompt is a line through it so a branch that went nowhere costs nothing'.split(
    ' ',
  )

/** The same question gets the same answer, always. */
export function demoReply(options: LanguageModelV4CallOptions): DemoReply {
  const job = demoJob(options)
  if (job !== undefined) return { thinking: '', text: job, calls: [], finishReason: stop('stop') }
  const thinking = thinkingFor(options)
  const last = options.prompt.at(-1)
  if (last?.role === 'tool') {
    const text = `${LABEL} ${commentResults(last.content)}`
    return { thinking, text, calls: [], finishReason: stop('stop') }
  }
  const asked =
    last?.role === 'user' ? textOf(splitAttached(last.content.filter((part) => part.type === 'text')).said) : ''
  const calls = planCalls(asked, options)
  if (calls.length > 0) {
    const text = `${LABEL} You asked for it, so I call ${calls.map(({ name }) => name).join(' and ')}.`
    const named = calls.map((call, i) => ({ ...call, id: callId(options, i) }))
    return { thinking, text, calls: named, finishReason: stop('tool-calls') }
  }
  return { thinking, text: `${LABEL} ${talk(asked, options)}`, calls: [], finishReason: stop('stop') }
}

function talk(asked: string, { prompt }: LanguageModelV4CallOptions): string {
  const words = /\b(\d{1,4}) words\b/.exec(asked)
  if (words !== null) return filler(Math.min(Number(words[1]), MAX_WORDS))
  const said = asked.trim().slice(0, QUOTED_CHARS)
  const quoted =
    said === '' ? 'You said nothing.' : `You said: “${said}${asked.trim().length > QUOTED_CHARS ? '…' : ''}”`
  const line = prompt.filter(({ role }) => role !== 'system').length
  return [
    quoted,
    `\n\nWhat I was given is the line from the root of this tree to here: ${line === 1 ? 'one message' : `${line} messages`}.`,
    '\n\nThings to try with me:\n',
    '\n- `list the files`, `read README.md`, `search for TODO`, `run "date"`: I call a tool',
    '\n- `use the tools in parallel`: two calls at once',
    '\n- `say 500 words`: a long answer, to stop, to branch from, or to fill the line until it is compacted',
    '\n\nFor real answers set a key with `treeline auth set anthropic`, or start Ollama; `treeline models` shows what is there.',
  ].join('')
}

function filler(count: number): string {
  return `${Array.from({ length: count }, (_, i) => FILLER[i % FILLER.length]).join(' ')}.`
}

function thinkingFor({ reasoning = 'provider-default', prompt }: LanguageModelV4CallOptions): string {
  if (reasoning === 'provider-default' || reasoning === 'none') return ''
  return `Thinking is set to ${reasoning}. I look at the last of ${prompt.length} messages and choose a rule for it.`
}

/** From the whole question, so that two calls of one conversation never share a name. */
function callId({ prompt }: LanguageModelV4CallOptions, index: number): string {
  const hash = createHash('sha256').update(JSON.stringify(prompt)).digest('hex').slice(0, 12)
  return `demo_${hash}_${index}`
}

function stop(unified: LanguageModelV4FinishReason['unified']): LanguageModelV4FinishReason {
  return { unified, raw: unified }
}
