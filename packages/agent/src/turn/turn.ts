import { type Line, TreelineError } from '@treeline/core'
import type { AppendOptions, Session } from '@treeline/store'
import { compact } from '../compaction/compact.ts'
import type { AgentEnv } from '../env.ts'
import { chooseModelRef } from '../models/choose-model.ts'
import type { Model, ThinkingLevel } from '../models/model.ts'
import { withdrawAnswer } from './announce.ts'
import { type Answer, runAnswer } from './answer.ts'
import { EventQueue } from './event-queue.ts'
import type { TurnEvent } from './events.ts'
import { type ModelError, readModelError } from './model-error.ts'
import { isBlank, type Prompt } from './prompt.ts'
import { buildRequest, type ModelRequest, readLine } from './request.ts'
import { runCalls } from './run-calls.ts'
import { findSaid } from './said-before.ts'
import { findStashed } from './stashed.ts'
import { truncateLine } from './truncate-line.ts'

export interface TurnRequest {
  /** What the user says; without it the model goes on from where the branch ends. */
  readonly prompt?: Prompt | undefined
  /** A client's own id for the prompt's node, so that a retry is recognised (D3). */
  readonly promptId?: string | undefined
  /**
   * The node to go on from; the session's leaf by default. The leaf moves along from here as long as it is here: whoever
   * goes elsewhere meanwhile stays there.
   */
  readonly parentId?: string | null | undefined
  /** Of an answer that is announced already, and its place in the pool: see `generate`. */
  readonly nodeId?: string | undefined
  readonly place?: Promise<() => void> | undefined
  /** What that answer is to, as it was when it was announced: what is changed later does not count. */
  readonly line?: Line | undefined
  /** It goes on where it is also when that is in the stash. */
  readonly inStash?: boolean | undefined
  /** `provider/model`; by default what the path says, then the settings. */
  readonly model?: string | undefined
  readonly thinking?: ThinkingLevel | undefined
  readonly maxOutput?: number | undefined
  /** Where the model has no room for all of it, the oldest turns are left out. */
  readonly truncates?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Asked between two calls of the model: what the user has said meanwhile. */
  readonly steer?: (() => readonly Prompt[] | Promise<readonly Prompt[]>) | undefined
}

interface Prepared {
  readonly model: Model
  readonly request: ModelRequest
}

type EndReason = Extract<TurnEvent, { type: 'ended' }>['reason']

/**
 * A turn: the prompt, answers and tools until the model has nothing more to do. Everything is in the log before it is told
 * of, and before it matters: the prompt before the model is called, a call before its tool runs (D6). Ends by itself after
 * errors of the model, which are in the tree; throws those of the store. Whoever stops listening cancels it.
 *
 * @example
 * for await (const event of runTurn(env, session, { prompt: 'Hello' })) if (event.type === 'delta') show(event.text)
 */
export async function* runTurn(env: AgentEnv, session: Session, request: TurnRequest): AsyncGenerator<TurnEvent> {
  const queue = new EventQueue<TurnEvent>()
  const stopped = new AbortController()
  const signal = request.signal === undefined ? stopped.signal : AbortSignal.any([request.signal, stopped.signal])
  const done = takeTurn(env, session, { ...request, signal }, (event) => queue.push(event)).then(
    () => queue.end(),
    (error) => queue.fail(error),
  )
  try {
    yield* queue.drain()
  } finally {
    stopped.abort()
    await done
  }
}

/** The same for whoever would rather be told. Resolves after the last event. */
export function takeTurn(
  env: AgentEnv,
  session: Session,
  request: TurnRequest,
  emit: (event: TurnEvent) => void,
): Promise<void> {
  return new Turn(env, session, request, request.signal ?? new AbortController().signal, emit).run()
}

class Turn {
  private readonly env: AgentEnv
  private readonly session: Session
  private readonly request: TurnRequest
  private readonly signal: AbortSignal
  private readonly emit: (event: TurnEvent) => void
  /** Where this turn's branch ends. */
  private tipId: string | null
  /** The prompt that waits for its answer. */
  private pendingId: string | undefined
  /** The next answer, if it is announced already. */
  private announcedId: string | undefined
  /** Where the leaf is if it has moved along, when that is not the tip: at an answer that failed beside it. */
  private leafAt: string | undefined
  private hasOverflowed = false
  private hasToldOfPrice = false
  /** It failed: until the provider says that it has to be, it is not tried again in this turn. */
  private cannotCompact = false
  /** The model that said so. */
  private tooSmall: Model | undefined

  constructor(
    env: AgentEnv,
    session: Session,
    request: TurnRequest,
    signal: AbortSignal,
    emit: (event: TurnEvent) => void,
  ) {
    this.env = env
    this.session = session
    this.request = request
    this.signal = signal
    this.emit = emit
    this.tipId = request.parentId === undefined ? session.leafId : request.parentId
    this.announcedId = request.nodeId
  }

  async run(): Promise<void> {
    const { env, session } = this
    const prompt = await this.askHook()
    if (prompt === 'cancelled') {
      await this.withdraw(new TreelineError('forbidden', 'A hook stopped this turn.'))
      return this.end('cancelled')
    }
    if (prompt !== undefined && isBlank(prompt)) {
      this.emit({ type: 'notice', code: 'validation_failed', message: 'The prompt is empty. Say something.' })
      return this.end('failed')
    }
    const stashed = this.announcedId === undefined ? findStashed(session, this.tipId) : undefined
    if (stashed !== undefined) throw stashed
    if (prompt !== undefined && (await this.begin(prompt)) === 'answered') return this.end('stop')
    if (prompt === undefined && this.announcedId === undefined && !(await this.hasQuestion())) {
      const message = 'There is nothing to answer here: the last word is an answer. Say something first.'
      this.emit({ type: 'notice', code: 'invalid_role_sequence', message })
      return this.end('failed')
    }
    const reason = await this.go().catch(async (error: unknown) => {
      await this.withdraw(error)
      throw error
    })
    try {
      await env.hooks.afterTurn?.(session, { reason, leafId: this.endId })
    } catch (error) {
      this.notice(error)
    }
    this.end(reason)
  }

  private async askHook(): Promise<Prompt | undefined | 'cancelled'> {
    const { prompt } = this.request
    try {
      const said = await this.env.hooks.beforeTurn?.(this.session, { prompt })
      // What an announced answer is to is said already.
      if (said?.action === 'replace' && this.announcedId === undefined) return said.value
      if (said?.action !== 'cancel') return prompt
      this.emit({ type: 'notice', code: 'forbidden', message: `A hook stopped this turn: ${said.reason}` })
    } catch (error) {
      this.notice(error)
    }
    return 'cancelled'
  }

  /** Calls the model and its tools by turns. */
  private async go(): Promise<EndReason> {
    for (let step = 0; step < this.env.settings.maxSteps; step++) {
      // One that is announced has to be closed.
      if (this.signal.aborted && this.announcedId === undefined) return 'cancelled'
      const stashed = this.request.inStash === true ? undefined : findStashed(this.session, this.tipId)
      if (stashed !== undefined) {
        await this.withdraw(stashed)
        this.notice(stashed)
        return 'cancelled'
      }
      const answer = await this.answer()
      if (answer.error !== undefined) {
        const isTooLong = answer.error.code === 'context_overflow' && !this.signal.aborted
        if (isTooLong && (await this.makeRoom())) continue
        if (this.signal.aborted) return 'cancelled'
        return isOwnLimit(answer.error) ? 'limit' : 'failed'
      }
      this.pendingId = undefined
      if (answer.calls.length > 0) {
        const { tipId, outcome } = await runCalls(this.env, this.session, answer, this.signal, this.emit)
        this.tipId = tipId
        if (outcome !== 'done') return outcome
      }
      const said = ((await this.request.steer?.()) ?? []).filter((prompt) => !isBlank(prompt))
      if (said.length > 0) await this.say(said)
      else if (answer.calls.length === 0) return 'stop'
    }
    const message = `The turn was ended after ${this.env.settings.maxSteps} calls of the model. Say something to go on, or raise "maxSteps" in the settings.`
    this.emit({ type: 'notice', code: 'rate_limited', message })
    return 'limit'
  }

  private async hasQuestion(): Promise<boolean> {
    const { messages } = await readLine(this.env, this.session, this.tipId)
    const role = messages.at(-1)?.role
    return role === 'user' || role === 'tool'
  }

  private async begin(prompt: Prompt): Promise<'said' | 'answered'> {
    const { promptId } = this.request
    const before = await findSaid(this.session, promptId, prompt)
    if (before === undefined) {
      await this.say([prompt], promptId)
      return 'said'
    }
    this.tipId = promptId!
    this.pendingId = promptId
    this.emit({ type: 'prompted', nodeId: promptId! })
    return before
  }

  private async say(prompts: readonly Prompt[], id?: string): Promise<void> {
    const drafts = prompts.map((content) => ({
      type: 'message',
      ...(id !== undefined && { id }),
      message: { role: 'user', content, timestamp: this.env.clock.now() },
    }))
    const entries = await this.session.appendAll(drafts, { parentId: this.tipId, leaf: this.leafRule() })
    for (const entry of entries) {
      this.tipId = entry.id
      this.pendingId = entry.id
      this.emit({ type: 'prompted', nodeId: entry.id })
    }
  }

  private async answer(): Promise<Answer> {
    const { env, session, signal } = this
    const frozen = this.announcedId === undefined ? undefined : this.request.line
    let line = frozen ?? (await readLine(env, session, this.tipId))
    const modelRef = this.request.model ?? (await this.modelOf(line))
    let model: Model | undefined
    const prepare = async () => {
      model ??= await env.models.open(modelRef)
      const { thinking, maxOutput, truncates } = this.request
      const { tipId } = this
      // One that was frozen was made to fit then.
      if (truncates && frozen === undefined)
        ({ line } = await truncateLine(env, session, { tipId, line, model: model.info }))
      const asked = { tipId, line, model, thinking, maxOutput }
      return { model, request: await buildRequest(env, session, asked) }
    }
    // Whatever is wrong is told by the answer's node.
    let prepared = await settle(prepare)
    if (prepared.value !== undefined) this.tellOfPrice(prepared.value.model)
    if (prepared.value !== undefined && (await this.compactIfNeeded(prepared.value))) {
      line = await readLine(env, session, this.tipId)
      prepared = await settle(prepare)
    }
    const { announcedId: nodeId } = this
    this.announcedId = undefined
    const place = nodeId === undefined ? undefined : this.request.place
    const asked = {
      parentId: this.tipId,
      nodeId,
      place,
      leaf: this.leafRule(),
      modelRef,
      prepare: prepared.get,
      signal,
    }
    const answer = await runAnswer(env, session, asked, this.emit)
    if (answer.error === undefined) this.moveTo(answer.nodeId)
    else this.leafAt = answer.nodeId
    if (answer.error?.code === 'context_overflow' && model !== undefined) this.tooSmall = model
    return answer
  }

  private modelOf({ state }: Line): Promise<string> {
    const { settings, models: catalogue } = this.env
    return chooseModelRef({ models: state.models, settings, catalogue })
  }

  /** A limit of money does not count what nobody knows the price of. */
  private tellOfPrice({ ref, info }: Model): void {
    const { perSession, perDay } = this.env.settings.spend
    if (info.prices !== undefined || (perSession === undefined && perDay === undefined) || this.hasToldOfPrice) return
    this.hasToldOfPrice = true
    const message = `The price of ${ref} is not known, so your spend limit does not count it. Set "models" in the settings to name it.`
    this.emit({ type: 'notice', code: 'validation_failed', message })
  }

  /** An answer that is announced already has its place, and what it answers is said. */
  private async compactIfNeeded({ model, request }: Prepared): Promise<boolean> {
    const { policy, settings } = this.env
    if (!settings.compaction.enabled || this.announcedId !== undefined || this.cannotCompact) return false
    return policy.shouldCompact(request.size) && this.compact('threshold', model, request.size.tokens)
  }

  /** Once in a turn, when the provider says that it was too much. */
  private async makeRoom(): Promise<boolean> {
    if (this.hasOverflowed || this.tooSmall === undefined || !this.env.settings.compaction.enabled) return false
    this.hasOverflowed = true
    return this.compact('overflow', this.tooSmall, 0)
  }

  private async compact(reason: 'threshold' | 'overflow', model: Model, tokens: number): Promise<boolean> {
    const { env, session, tipId, pendingId, signal } = this
    const onBegin = () => this.emit({ type: 'compacting', reason, tokens })
    const onNotice = (problem: unknown) => this.notice(problem)
    try {
      const request = { tipId, leafAt: this.endId, model, reason, pendingId, signal, onBegin, onNotice }
      const report = await compact(env, session, request)
      if (report === undefined) return false
      this.moveTo(report.nodeId)
      this.emit({ type: 'compacted', nodeId: report.nodeId, report })
      return true
    } catch (error) {
      if (signal.aborted) return false
      this.notice(error)
      this.cannotCompact = true
      return false
    }
  }

  private moveTo(nodeId: string): void {
    this.tipId = nodeId
    this.leafAt = undefined
  }

  /** The last thing written: what failed counts, for the next prompt hangs under it. */
  private get endId(): string | null {
    return this.leafAt ?? this.tipId
  }

  private leafRule(): AppendOptions['leaf'] {
    return { ifAt: this.endId }
  }

  /** An answer that was announced and could not even be begun. */
  private async withdraw(error: unknown): Promise<void> {
    const { env, session, tipId: parentId, announcedId: nodeId } = this
    if (nodeId === undefined) return
    this.announcedId = undefined
    this.leafAt = nodeId
    const { code, message } = readModelError(error)
    const modelRef = this.request.model ?? ''
    await withdrawAnswer(session, { parentId, nodeId, modelRef }, { code, message, at: env.clock.now() })
    this.emit({ type: 'failed', nodeId, code, message, isCancelled: this.signal.aborted })
  }

  private notice(error: unknown): void {
    const { code, message } = readModelError(error)
    this.emit({ type: 'notice', code, message })
  }

  private end(reason: EndReason): void {
    this.emit({ type: 'ended', reason, leafId: this.endId })
  }
}

/** A provider's limit has a status, or may be waited for. */
function isOwnLimit({ code, status, isRetryable }: ModelError): boolean {
  return code === 'rate_limited' && status === undefined && !isRetryable
}

/** What came of it, now, and later for whoever asks: the value or what was thrown. */
async function settle<T>(work: () => Promise<T>): Promise<{ readonly value?: T; readonly get: () => Promise<T> }> {
  try {
    const value = await work()
    return { value, get: () => Promise.resolve(value) }
  } catch (error) {
    return { get: () => Promise.reject(error) }
  }
}
