import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import { TreelineError, type Usage } from '@treeline/core'
import type { AgentEnv } from '../env.ts'
import { callModel } from '../turn/call-model.ts'
import { callOptions } from '../turn/call-options.ts'
import { type ModelError, readModelError } from '../turn/model-error.ts'
import { retryDelay } from '../turn/retry-delay.ts'
import { addUsage, readUsage } from '../turn/usage.ts'
import { withWatchdog } from '../turn/watchdog.ts'
import type { Model } from './model.ts'

/** A question beside the conversation, without tools. */
export interface Question {
  readonly system: string
  readonly prompt: string
  /** Tokens. */
  readonly maxOutput?: number | undefined
  readonly signal: AbortSignal
  readonly purpose: 'summary' | 'branch-summary' | 'merge' | 'title'
}

export interface Answer {
  readonly text: string
  /** With what failed attempts took. */
  readonly usage: Usage
  readonly stopReason: 'stop' | 'length'
}

interface Said {
  readonly text: string
  readonly callsTool: boolean
  readonly reason: LanguageModelV4FinishReason['unified'] | undefined
  readonly usage: LanguageModelV4Usage | undefined
}

type AskEnv = Pick<AgentEnv, 'settings' | 'clock'>

/** Asks once and waits for the whole answer. Repeats what may be repeated; what is left is thrown with its code. */
export async function askModel(env: AskEnv, model: Model, question: Question): Promise<Answer> {
  const { settings, clock } = env
  let spent: Usage | undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce(settings.stallMs, model, question)
    const usage = outcome.usage && readUsage(outcome.usage, model.info)
    if (usage !== undefined) spent = spent === undefined ? usage : addUsage(spent, usage)
    if (!('code' in outcome)) {
      const stopReason = outcome.reason === 'length' ? 'length' : 'stop'
      return { text: outcome.text, usage: spent ?? NOTHING, stopReason }
    }
    const { code, message } = outcome
    const delayMs = retryDelay(attempt, outcome, settings.retry, clock.random)
    if (delayMs === undefined || question.signal.aborted) throw new TreelineError(code, message)
    try {
      await clock.wait(delayMs, question.signal)
    } catch (cause) {
      throw new TreelineError('provider_error', `The call of ${model.ref} was cancelled.`, {}, { cause })
    }
  }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

type Failed = ModelError & Pick<Said, 'usage'>

async function askOnce(stallMs: number, model: Model, question: Question): Promise<Said | Failed> {
  const dog = withWatchdog(question.signal, stallMs)
  try {
    const said = await listen(model, question, dog)
    const problem = problemOf(said)
    if (problem === undefined) return said
    const { message, isRetryable = true } = problem
    return { code: 'provider_error', message: `${model.ref} ${message}`, isRetryable, usage: said.usage }
  } catch (error) {
    if (!question.signal.aborted) return { ...readModelError(error, model), usage: undefined }
    const message = `The call of ${model.ref} was cancelled.`
    return { code: 'provider_error', message, isRetryable: false, isAborted: true, usage: undefined }
  } finally {
    dog.end()
  }
}

async function listen(model: Model, question: Question, dog: ReturnType<typeof withWatchdog>): Promise<Said> {
  const { system, prompt, maxOutput, purpose } = question
  const options = callOptions({
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    tools: [],
    model,
    thinking: 'off',
    maxOutput,
    signal: dog.signal,
    purpose,
  })
  let text = ''
  let callsTool = false
  let end: Pick<Said, 'reason' | 'usage'> = { reason: undefined, usage: undefined }
  for await (const part of callModel(model.language, options, dog)) {
    if (part.type === 'text-delta') text += part.delta
    else if (part.type === 'tool-call') callsTool = true
    else if (part.type === 'finish') end = { reason: part.finishReason.unified, usage: part.usage }
  }
  return { text, callsTool, ...end }
}

function problemOf(said: Said): { readonly message: string; readonly isRetryable?: boolean } | undefined {
  const { text, callsTool, reason } = said
  if (reason === 'content-filter') return { message: 'refused: its content filter stepped in.', isRetryable: false }
  if (reason === undefined || reason === 'interrupted') return { message: 'broke off in the middle of its answer.' }
  if (reason === 'error') return { message: 'ended its answer with an error.' }
  if (callsTool) return { message: 'called a tool where only text was asked for.' }
  if (text.trim() !== '') return undefined
  // The same limit would end the same way.
  if (reason === 'length') return { message: 'reached its limit before it said anything.', isRetryable: false }
  return { message: 'gave an empty answer.' }
}
