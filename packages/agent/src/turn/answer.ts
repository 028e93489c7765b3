import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  type AssistantMessage,
  type Entry,
  type StopReason,
  type ToolCallBlock,
  TreelineError,
  type Usage,
} from '@treeline/core'
import type { AppendOptions, Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { hideInText } from '../tools/hide-secrets.ts'
import { type Announcement, announceAnswer } from './announce.ts'
import { AnswerBuilder } from './answer-builder.ts'
import { callModel } from './call-model.ts'
import type { TurnEvent } from './events.ts'
import { type ModelError, readModelError } from './model-error.ts'
import { PartialText } from './partial-text.ts'
import type { ModelRequest } from './request.ts'
import { retryDelay } from './retry-delay.ts'
import { forgetRunning, noteRunning } from './running.ts'
import { NO_USAGE, readUsage } from './usage.ts'
import { withWatchdog } from './watchdog.ts'

export interface AnswerRequest extends Announcement {
  /** Gives the model and what it is sent; what it throws is the answer's error. */
  readonly prepare: () => Promise<{ readonly model: Model; readonly request: ModelRequest }>
  /** In the pool, for the first call; the others find their own. */
  readonly place?: Promise<() => void> | undefined
  readonly signal: AbortSignal
}

export interface Answer {
  readonly nodeId: string
  readonly message: AssistantMessage
  /** Tools to run now. */
  readonly calls: readonly ToolCallBlock[]
  readonly error: ModelError | undefined
}

/** One call that failed and was repeated. */
interface Retry {
  readonly at: string
  readonly code: string
  readonly message: string
  readonly delayMs: number
  /** Also a call that gave nothing may cost. */
  readonly usage?: Usage
}

/**
 * One answer: announced, streamed, kept while it comes, and written. Errors of the model end in a node that says so; only
 * those of the store are thrown.
 */
export async function runAnswer(
  env: AgentEnv,
  session: Session,
  asked: AnswerRequest,
  emit: (event: TurnEvent) => void,
): Promise<Answer> {
  let { nodeId, leaf } = asked
  for (let attempt = 1; ; ) {
    nodeId ??= await announceAnswer(session, { ...asked, leaf, nodeId })
    emit({ type: 'started', nodeId, parentId: asked.parentId, model: asked.modelRef })
    const run = new AnswerRun(env, session, asked, nodeId, attempt, emit)
    const answer = await run.stream()
    if (run.delayMs === undefined) return answer
    // It had text, which stays as a failed node: the next attempt stands beside it.
    attempt = run.attempt
    leaf = { ifAt: nodeId }
    nodeId = undefined
    try {
      await env.clock.wait(run.delayMs, asked.signal)
    } catch {
      return answer
    }
  }
}

/** The work on one node. */
class AnswerRun {
  /** Set when another node is to be tried after so long. */
  delayMs: number | undefined
  attempt: number
  private readonly env: AgentEnv
  private readonly session: Session
  private readonly asked: AnswerRequest
  private readonly nodeId: string
  private readonly partial: PartialText
  private readonly emit: (event: TurnEvent) => void
  private readonly retries: Retry[] = []
  private readonly startedAt: number
  private builder: AnswerBuilder
  private model: Model | undefined
  private isFirst: boolean
  private firstTokenAt: number | undefined

  constructor(
    env: AgentEnv,
    session: Session,
    asked: AnswerRequest,
    nodeId: string,
    attempt: number,
    emit: (event: TurnEvent) => void,
  ) {
    this.emit = emit
    this.env = env
    this.session = session
    this.asked = asked
    this.nodeId = nodeId
    this.attempt = attempt
    this.isFirst = attempt === 1
    this.startedAt = env.clock.now()
    this.partial = new PartialText(session.partials, nodeId, env.clock)
    this.builder = new AnswerBuilder(asked.modelRef.slice(0, asked.modelRef.indexOf('/')))
  }

  async stream(): Promise<Answer> {
    const { env, session, asked, nodeId, emit } = this
    try {
      for (;;) {
        const error = await this.callOnce()
        if (error === undefined) {
          const answer = await this.finish()
          // The work on it goes on until its tools have run: see `runCalls`.
          if (answer.calls.length > 0) noteRunning(session.id, answer.nodeId)
          return answer
        }
        if (asked.signal.aborted) return await this.fail(error, true)
        const delayMs = error.code === 'context_overflow' ? undefined : this.delayAfter(error)
        if (delayMs === undefined) return await this.fail(error, false)
        const { code, message } = error
        const usage = this.usage()
        const at = new Date(env.clock.now()).toISOString()
        this.retries.push({ at, code, message, delayMs, ...(usage && !this.builder.hasText && { usage }) })
        emit({ type: 'retrying', nodeId, attempt: this.attempt, delayMs, code, message })
        this.attempt++
        if (this.builder.hasText) {
          this.delayMs = delayMs
          return await this.fail(error, false)
        }
        // What it ends with tells only of the last call.
        await env.spend.note(session, usage)
        await env.clock.wait(delayMs, asked.signal).catch(() => {})
      }
    } finally {
      forgetRunning(session.id, nodeId)
    }
  }

  /** One call. Returns what went wrong, if anything did. */
  private async callOnce(): Promise<ModelError | undefined> {
    const { env, session, asked } = this
    let leave = (): void => {}
    try {
      leave = await ((this.isFirst ? asked.place : undefined) ?? env.pool.enter(session.id, asked.signal))
      this.isFirst = false
      const { model, request } = await asked.prepare()
      this.model = model
      await env.spend.check(session)
      this.builder = new AnswerBuilder(model.provider)
      await this.listen(model, request)
      return this.judgeEnd()
    } catch (error) {
      if (asked.signal.aborted) return cancelled(asked.modelRef)
      const read = readModelError(error, { ref: asked.modelRef })
      // Some quote the key they were given.
      return { ...read, message: hideInText(read.message, env.secrets()) }
    } finally {
      leave()
    }
  }

  private async listen(model: Model, request: ModelRequest): Promise<void> {
    const dog = withWatchdog(this.asked.signal, this.env.settings.stallMs)
    try {
      for await (const part of callModel(model.language, request.options(dog.signal), dog)) this.read(part)
    } finally {
      dog.end()
    }
  }

  private read(part: LanguageModelV4StreamPart): void {
    const piece = this.builder.read(part)
    if (piece === undefined) return
    const { kind, text, offset } = piece
    this.firstTokenAt ??= this.env.clock.now()
    this.partial.add(piece)
    this.emit({ type: 'delta', nodeId: this.nodeId, kind, text, offset })
  }

  /** A stream may end in good order and still be no answer. */
  private judgeEnd(): ModelError | undefined {
    const { builder, asked } = this
    const failed = (message: string, isRetryable: boolean): ModelError => ({
      code: 'provider_error',
      message: `${asked.modelRef} ${message}`,
      isRetryable,
    })
    const reason = builder.end?.reason ?? 'interrupted'
    if (reason === 'interrupted') return failed('broke off in the middle of its answer.', true)
    if (reason === 'content-filter') return failed('refused to answer: its content filter stepped in.', false)
    if (reason === 'error') return failed('ended its answer with an error.', true)
    if (builder.hasText || builder.calls.length > 0) return undefined
    // The same limit would end the same way.
    if (reason === 'length') return failed('reached its limit before it said anything.', false)
    return failed('gave an empty answer.', true)
  }

  private delayAfter(error: ModelError): number | undefined {
    const { retry } = this.env.settings
    return retry.enabled ? retryDelay(this.attempt, error, retry, this.env.clock.random) : undefined
  }

  private async finish(): Promise<Answer> {
    const reason = this.builder.end?.reason
    const asksForTools = this.builder.calls.length > 0 && reason !== 'length'
    const answer = await this.write(reason === 'length' ? 'length' : asksForTools ? 'toolUse' : 'stop', undefined)
    const { usage, latency, stopReason = 'stop' } = answer.message
    const latencyMs = latency?.totalMs ?? 0
    this.emit({ type: 'finished', nodeId: answer.nodeId, stopReason, latencyMs, ...(usage && { usage }) })
    return answer
  }

  private async fail(error: ModelError, isCancelled: boolean): Promise<Answer> {
    const answer = await this.write(isCancelled ? 'aborted' : 'error', error)
    this.emit({ type: 'failed', nodeId: answer.nodeId, code: error.code, message: error.message, isCancelled })
    return answer
  }

  private async write(stopReason: StopReason, error: ModelError | undefined): Promise<Answer> {
    const { session, nodeId, asked, partial } = this
    // Should the log be full, the text so far is on the disk all the same.
    if (error !== undefined) await partial.flush()
    const message = this.toMessage(stopReason, error)
    try {
      const entry = await this.append(message)
      await partial.remove()
      if (partial.problem !== undefined) this.notice(partial.problem)
      await this.env.spend.note(session, message.usage)
      const calls = stopReason === 'toolUse' ? this.builder.calls : []
      return { nodeId: entry.id, message, calls, error }
    } catch (failure) {
      await partial.close().catch(() => {})
      throw new TreelineError(
        failure instanceof TreelineError ? failure.code : 'internal',
        `The answer of ${asked.modelRef} (node ${nodeId}) could not be written: ${textOfError(failure)} ` +
          'What came of it is kept and will be put into the session when it is opened again.',
        { nodeIds: [nodeId] },
        { cause: failure },
      )
    }
  }

  private notice(problem: unknown): void {
    const { code, message } = readModelError(problem)
    this.emit({ type: 'notice', code, message })
  }

  private async append(message: AssistantMessage): Promise<Entry> {
    const { session, nodeId, asked } = this
    const options: AppendOptions = { parentId: asked.parentId, leaf: { ifAt: nodeId } }
    try {
      return await session.append({ type: 'message', id: nodeId, message }, options)
    } catch (error) {
      // Somebody who took us for dead has closed it: what came since then stands beside that.
      if (!(error instanceof TreelineError) || error.code !== 'id_in_use') throw error
      return session.append({ type: 'message', message }, options)
    }
  }

  private toMessage(stopReason: StopReason, error: ModelError | undefined): AssistantMessage {
    const { builder, asked, model, env, retries } = this
    const slash = asked.modelRef.indexOf('/')
    const now = env.clock.now()
    const isWhole = stopReason === 'toolUse' || stopReason === 'stop'
    const firstTokenMs = this.firstTokenAt === undefined ? undefined : this.firstTokenAt - this.startedAt
    const unrun = isWhole ? [] : builder.calls
    return {
      role: 'assistant',
      content: builder.content({ withCalls: isWhole }),
      ...(model !== undefined && { api: model.api }),
      // Who answers is who is asked next (S23): not one that cannot be.
      ...(isUsable(error)
        ? { provider: asked.modelRef.slice(0, Math.max(0, slash)), model: asked.modelRef.slice(slash + 1) }
        : { askedModel: asked.modelRef }),
      ...(builder.responseId !== undefined && { responseId: builder.responseId }),
      usage: this.usage() ?? NO_USAGE,
      stopReason,
      ...(error !== undefined && { errorMessage: error.message, errorCode: error.code }),
      latency: { totalMs: now - this.startedAt, ...(firstTokenMs !== undefined && { firstTokenMs }) },
      // Calls of an answer that did not end well are told of and never run.
      ...(unrun.length > 0 && { unrunCalls: unrun }),
      ...(retries.length > 0 && { retries }),
      timestamp: now,
    }
  }

  private usage(): Usage | undefined {
    const { end } = this.builder
    return end === undefined || this.model === undefined ? undefined : readUsage(end.usage, this.model.info)
  }
}

/** False for a model that does not exist, or that there is no key for. */
function isUsable(error: ModelError | undefined): boolean {
  return error?.code !== 'validation_failed' && error?.code !== 'unauthorized'
}

function cancelled(modelRef: string): ModelError {
  return { code: 'provider_error', message: `The answer of ${modelRef} was cancelled.`, isRetryable: false }
}

function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
