import { type AgentMessage, preview, TreelineError, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { askModel } from '../models/ask-model.ts'
import type { Model } from '../models/model.ts'
import { addUsage } from '../turn/usage.ts'
import { chunkTexts, divide } from './chunk-text.ts'
import { estimateText } from './estimate-text.ts'
import { withoutFileLists } from './file-lists.ts'
import { serialiseMessage } from './serialise.ts'
import { SUMMARY_SYSTEM, summaryPrompt, type Task } from './summary-prompts.ts'

export interface SummaryRequest {
  readonly model: Model
  /** Whole turns. */
  readonly history: readonly AgentMessage[]
  /** The beginning of a turn whose rest is kept. */
  readonly turn: readonly AgentMessage[]
  readonly previousSummary: string | undefined
  readonly instructions: string | undefined
  readonly maxTokens: number
  /** By how much the estimator is known to be too low. */
  readonly scale: number
  readonly signal: AbortSignal
}

export interface Summary {
  readonly summary: string
  readonly usage: Usage | undefined
}

const TURN_HEADING = '# The turn that goes on below'

/** Notes by a model on what a compaction covers, the earlier notes folded in. Asks more than once when it is too much. */
export async function summarise(env: AgentEnv, session: Session, request: SummaryRequest): Promise<Summary> {
  const { history, turn, previousSummary } = request
  const writer = new Writer(env, session, request)
  const before = previousSummary === undefined ? undefined : withoutFileLists(previousSummary)
  const isTooLong = before !== undefined && estimateText(env, before) > request.maxTokens
  const notes = history.length === 0 && !isTooLong ? before : await writer.write('history', history, before)
  if (turn.length === 0) return { summary: refuseEmpty(notes), usage: writer.usage }
  const ofTurn = await writer.write('turn', turn, undefined)
  const summary = notes === undefined ? ofTurn : `${notes}\n\n---\n\n${TURN_HEADING}\n\n${ofTurn}`
  return { summary: refuseEmpty(summary), usage: writer.usage }
}

const MAX_SHORT = 120

/** One line to recognise a summary by: the first sentence that is not a heading. */
export function shorten(summary: string): string {
  const lines = withoutFileLists(summary).split('\n')
  const line = lines.map((text) => text.replace(/^[\s>*+-]*(?:\d+\.\s|\[[ x]\]\s)?/, '').trim()).find(isSaid)
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line ?? '')?.[0]
  return preview(sentence ?? line ?? summary, MAX_SHORT)
}

function isSaid(line: string): boolean {
  return line !== '' && !line.startsWith('#') && !line.startsWith('<')
}

function refuseEmpty(summary: string | undefined): string {
  if (summary !== undefined && summary.trim() !== '') return summary.trim()
  throw new TreelineError('provider_error', 'Generated summary is empty. Nothing was changed; try again.')
}

/** What some local models think aloud before they answer. */
const THOUGHTS = /^\s*<(think|thinking)>[\s\S]*?<\/\1>/i
const WORDS_PER_TOKEN = 0.5
/** Estimates are off; what is left of a window is not filled to the brim. */
const FILL = 0.9
const MIN_CHUNK_TOKENS = 256
/** A chunk this short that is still too much is not the chunk's fault. */
const MIN_CHUNK_CHARS = 1_000

/** Class: it adds up what its questions cost. */
class Writer {
  usage: Usage | undefined
  private readonly env: AgentEnv
  private readonly session: Session
  private readonly request: SummaryRequest

  constructor(env: AgentEnv, session: Session, request: SummaryRequest) {
    this.env = env
    this.session = session
    this.request = request
  }

  /** Each chunk is folded into the notes of those before it. */
  async write(kind: Task['kind'], messages: readonly AgentMessage[], before: string | undefined): Promise<string> {
    const room = this.roomForChunk(kind)
    const tokensOf = (text: string) => estimateText(this.env, text)
    const pieces = messages.map((message) => serialiseMessage(message)).filter((text) => text !== '')
    let notes = before
    if (before !== undefined && (tokensOf(before) > room / 2 || pieces.length === 0)) {
      // Notes for a larger model, or another tool's, may be longer than ours are here: then they are material too.
      pieces.unshift(serialiseMessage({ role: 'compactionSummary', summary: before, tokensBefore: 0 }))
      notes = undefined
    }
    const waiting = chunkTexts(pieces, room, tokensOf).toReversed()
    for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
      const said = await this.ask(chunk, kind, notes)
      if (said === 'too long') waiting.push(...divide(chunk, 2).toReversed())
      else notes = said
    }
    return refuseEmpty(notes)
  }

  /** Tokens left in the model's window beside the answer, our own words and the notes so far. */
  private roomForChunk(kind: Task['kind']): number {
    const { model, maxTokens, scale } = this.request
    const { contextWindow } = model.info
    const words = estimateText(this.env, SUMMARY_SYSTEM + summaryPrompt('', this.taskOf(kind, ' ')))
    const room = (contextWindow - this.maxOutput - words - maxTokens) * FILL
    return Math.max(MIN_CHUNK_TOKENS, Math.floor(room / scale))
  }

  private async ask(text: string, kind: Task['kind'], notes: string | undefined): Promise<string | 'too long'> {
    const { env, session, maxOutput } = this
    const { model, signal } = this.request
    await env.spend.check(session)
    const prompt = summaryPrompt(text, this.taskOf(kind, notes))
    const question = { system: SUMMARY_SYSTEM, prompt, maxOutput, signal, purpose: 'summary' as const }
    try {
      const answer = await askModel(env, model, question)
      await env.spend.note(session, answer.usage)
      this.usage = this.usage === undefined ? answer.usage : addUsage(this.usage, answer.usage)
      if (answer.stopReason === 'length') throw cutOff(model, maxOutput)
      return refuseEmpty(withoutFileLists(answer.text.replace(THOUGHTS, '')))
    } catch (error) {
      const isTooLong = error instanceof TreelineError && error.code === 'context_overflow'
      if (isTooLong && text.length > MIN_CHUNK_CHARS) return 'too long'
      throw error
    }
  }

  private taskOf(kind: Task['kind'], notes: string | undefined): Task {
    const { instructions, maxTokens } = this.request
    return { kind, notes, instructions, maxWords: Math.floor(maxTokens * WORDS_PER_TOKEN) }
  }

  /** Of another model than the conversation's, what that one can. */
  private get maxOutput(): number {
    const { model, maxTokens } = this.request
    return Math.min(model.info.maxOutput, maxTokens)
  }
}

function cutOff(model: Model, maxOutput: number): TreelineError {
  const message =
    `${model.ref} did not finish the summary within ${maxOutput} tokens. ` +
    'Nothing was changed; try again, or name another model for the role "summary" in the settings.'
  return new TreelineError('provider_error', message)
}
