import type { Line } from '@treeline/core'
import type { Session } from '@treeline/store'
import { type CompactOptions, compact } from './compaction/compact.ts'
import type { WhatIf } from './compaction/line-options.ts'
import type { RequestSize } from './compaction/policy.ts'
import type { CompactionReport } from './compaction/report.ts'
import { rerunCompaction } from './compaction/rerun-compaction.ts'
import { undoCompaction } from './compaction/undo-compaction.ts'
import { type AgentOptions, type CreatedEnv, createEnv } from './create-env.ts'
import type { AgentEnv } from './env.ts'
import { type GenerateRequest, type Generations, generate } from './generate/generate.ts'
import { chooseModelRef } from './models/choose-model.ts'
import type { Model, ThinkingLevel } from './models/model.ts'
import { type RecoveryOptions, type RecoveryReport, recover } from './recovery/recover.ts'
import type { SettingProblem } from './settings/problem.ts'
import { type LeaveRequest, type Left, leaveBranch } from './summary/leave-branch.ts'
import { type Merged, type MergeRequest, mergeBranches } from './summary/merge-branches.ts'
import { type Summarised, type SummariseRequest, summariseNodes } from './summary/summarise-nodes.ts'
import { titleSession } from './summary/title.ts'
import { runShellCommand, type ShellCommand } from './tools/shell-command.ts'
import type { TurnEvent } from './turn/events.ts'
import type { Prompt } from './turn/prompt.ts'
import { buildRequest, readLine } from './turn/request.ts'
import { truncateLine } from './turn/truncate-line.ts'
import { runTurn, type TurnRequest } from './turn/turn.ts'

/** What would be sent if a node were answered now. */
export interface RequestPreview {
  readonly line: Line
  /** The nodes that are left out so that the rest fits, where that was asked for. */
  readonly droppedIds: readonly string[]
  readonly model: Model
  /** As it would be asked to, or as it can. */
  readonly thinking: ThinkingLevel
  readonly size: RequestSize
  /** US dollars for what is sent, without the answer; `undefined` where the price is not known. */
  readonly cost: number | undefined
}

export interface PreviewOptions extends WhatIf {
  /** The node that would be answered; by default where the conversation is. */
  readonly tipId?: string | null | undefined
  readonly model?: string | undefined
  /** Where the model has no room for all of it, without the oldest turns. */
  readonly truncates?: boolean | undefined
}

type JobOptions = { readonly model?: string | undefined; readonly signal?: AbortSignal | undefined }

/** What can be said of a job: a model by name instead of one that is open, and a signal if one likes. */
type Job<T extends { readonly signal: AbortSignal }> = Omit<T, 'model' | 'signal'> & JobOptions

/**
 * An agent for any number of sessions of a project.
 *
 * @example
 * await using store = await openFileStore()
 * await using agent = await createAgent({ ask: async () => ({ decision: 'once' }) })
 * await using session = await store.create()
 * for await (const event of agent.run(session, 'What is in this folder?')) {
 *   if (event.type === 'delta') process.stdout.write(event.text)
 * }
 */
export class Agent implements AsyncDisposable {
  readonly env: AgentEnv
  /** What is wrong with the settings; the rest of them counts. */
  readonly problems: readonly SettingProblem[]
  private readonly created: CreatedEnv
  /** Names being thought of: nobody waits for them but `close`. */
  private readonly naming = new Set<Promise<unknown>>()
  private readonly closing = new AbortController()

  constructor(created: CreatedEnv) {
    this.created = created
    this.env = created.env
    this.problems = created.problems
  }

  /** A turn: says something and lets the model work until it is done. Whoever stops listening cancels it. */
  async *run(
    session: Session,
    prompt: Prompt,
    options: Omit<TurnRequest, 'prompt' | 'nodeId'> = {},
  ): AsyncGenerator<TurnEvent> {
    for await (const event of runTurn(this.env, session, { ...options, prompt })) {
      if (event.type === 'ended' && event.reason === 'stop') this.nameLater(session)
      yield event
    }
  }

  /** Goes on without saying anything: after a failure, a recovery, or results that wait. */
  resume(
    session: Session,
    options: Omit<TurnRequest, 'prompt' | 'nodeId' | 'promptId'> = {},
  ): AsyncGenerator<TurnEvent> {
    return runTurn(this.env, session, options)
  }

  /** Answers to one node, side by side; the conversation stays where it is unless `activate` is said. */
  generate(session: Session, request: GenerateRequest): Promise<Generations> {
    return generate(this.env, session, request)
  }

  /** What the user typed behind `!` or `!!`. */
  shell(
    session: Session,
    { isExcluded = false, signal, ...command }: Job<Omit<ShellCommand, 'isExcluded'>> & { isExcluded?: boolean },
  ): ReturnType<typeof runShellCommand> {
    return runShellCommand(this.env, session, { ...command, isExcluded, signal: this.signalOf(signal) })
  }

  /** Puts a session in order after a crash. Call it when a session was opened to be continued. */
  recover(session: Session, options: RecoveryOptions = {}): Promise<RecoveryReport> {
    return recover(this.env, session, options)
  }

  /** What the model would be sent, and why, without sending it; also if some nodes were muted that are not, or not. */
  async preview(
    session: Session,
    { tipId = session.leafId, model: asked, truncates = false, ...whatIf }: PreviewOptions = {},
  ): Promise<RequestPreview> {
    const whole = await readLine(this.env, session, tipId, whatIf)
    const model = await this.open(whole, 'default', asked)
    const given = { tipId, line: whole, model: model.info, whatIf }
    const { line, droppedIds } = truncates
      ? await truncateLine(this.env, session, given)
      : { line: whole, droppedIds: [] }
    const isWhatIf = whatIf.mute !== undefined || whatIf.unmute !== undefined || droppedIds.length > 0
    const asIs = isWhatIf ? await readLine(this.env, session, tipId) : undefined
    const { size, thinking } = await buildRequest(this.env, session, { tipId, line, model, asIs })
    const { prices } = model.info
    const cost = prices && (size.tokens * prices.input) / 1_000_000
    return { line, droppedIds, model, thinking, size, cost }
  }

  /** `undefined` when there is nothing to compact. */
  async compact(
    session: Session,
    {
      model: asked,
      signal: stopped,
      ...request
    }: JobOptions & Pick<CompactOptions, 'instructions' | 'by' | 'id' | 'onBegin'> = {},
  ): Promise<CompactionReport | undefined> {
    // The model that the line is for; who writes the summary is settled there.
    const { model, signal } = await this.job(session, 'default', { model: asked, signal: stopped })
    return compact(this.env, session, { ...request, model, signal, reason: 'manual' })
  }

  /** The line is again what it was; the summary can be brought back by a redo. */
  undoCompaction(session: Session, compactionId: string): Promise<unknown> {
    return undoCompaction(session, compactionId)
  }

  async rerunCompaction(
    session: Session,
    compactionId: string,
    { instructions, ...options }: JobOptions & { readonly instructions?: string } = {},
  ): Promise<CompactionReport | undefined> {
    const { model, signal } = await this.job(session, 'default', options)
    return rerunCompaction(this.env, session, compactionId, { model, signal, instructions })
  }

  /** Goes on elsewhere in the tree, with notes on what was tried here if asked to. */
  async leaveBranch(session: Session, { model, signal, ...request }: Job<LeaveRequest>): Promise<Left> {
    if (request.summarise !== true) return leaveBranch(this.env, session, { ...request, signal: this.signalOf(signal) })
    return leaveBranch(this.env, session, { ...request, ...(await this.job(session, 'summary', { model, signal })) })
  }

  async merge(session: Session, { model, signal, ...request }: Job<MergeRequest>): Promise<Merged> {
    return mergeBranches(this.env, session, { ...request, ...(await this.job(session, 'summary', { model, signal })) })
  }

  /** A summary of some nodes, in their place if wanted. */
  async summarise(session: Session, { model, signal, ...request }: Job<SummariseRequest>): Promise<Summarised> {
    return summariseNodes(this.env, session, { ...request, ...(await this.job(session, 'summary', { model, signal })) })
  }

  /** A name for a session that nobody has named. */
  async title(session: Session, options: JobOptions = {}): Promise<string | undefined> {
    return titleSession(this.env, session, await this.job(session, 'title', options))
  }

  /** Waits for names that are being thought of, no longer than it takes to stop. */
  async close(): Promise<void> {
    this.closing.abort()
    await Promise.allSettled(this.naming)
    this.created[Symbol.dispose]()
  }

  /** Resolves when nothing goes on in the background. */
  async idle(): Promise<void> {
    while (this.naming.size > 0) await Promise.allSettled(this.naming)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private nameLater(session: Session): void {
    if (!this.env.settings.autoTitle || session.name !== undefined) return
    // A name is a help; without one the list shows the first prompt.
    const named = this.title(session).catch(() => undefined)
    this.naming.add(named)
    named.then(() => this.naming.delete(named))
  }

  private async job(
    session: Session,
    role: string,
    { model, signal }: JobOptions,
  ): Promise<{ readonly model: Model; readonly signal: AbortSignal }> {
    const line = await session.line()
    return { model: await this.open(line, role, model), signal: this.signalOf(signal) }
  }

  private signalOf(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal])
  }

  private async open({ state }: Line, role: string, asked: string | undefined): Promise<Model> {
    const { models: catalogue, settings } = this.env
    return catalogue.open(await chooseModelRef({ asked, models: state.models, settings, role, catalogue }))
  }
}

/** Reads settings and keys and puts an agent together. Nothing of a project's that could do harm counts unasked. */
export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  return new Agent(await createEnv(options))
}
