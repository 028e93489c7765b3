import type { Agent, GenerateRequest, GenerationEvent, Generations as Started, TurnEvent } from '@treeline/agent'
import { Flag, TreelineError } from '@treeline/core'
import type { LogRecord } from '../services.ts'
import { generationIdOf } from '../wire/node-metadata.ts'
import type { Hub, Lease } from './hub.ts'
import type { LiveSession } from './live-session.ts'

export interface GenerationsOptions {
  readonly agent: Agent
  readonly hub: Hub
  readonly log: (record: LogRecord) => void
  /** Told when one has come to its end, with nothing left to do. */
  readonly onAnswered?: (live: LiveSession) => void
}

/** An answer on its way, with its tools and what follows them. */
export interface Running {
  readonly sessionId: string
  /** The line that announced the answer it is at. */
  readonly generationId: string
  readonly nodeId: string
  readonly model: string
  readonly startedAt: string
  readonly state: 'queued' | 'running'
}

export interface CancelOptions {
  readonly sessionId?: string | undefined
  /** What came is put aside: the node is deleted, and an undo or a restore brings it back. Named for who wants it so. */
  readonly discardBy?: string | undefined
}

interface Run {
  readonly live: LiveSession
  /** What the agent knows it by: its first node. */
  readonly turnId: string
  readonly started: Started
  readonly over: PromiseWithResolvers<void>
  /** Of all answers it has come to so far. */
  readonly generationIds: Set<string>
  readonly nodeIds: Set<string>
  at: Omit<Running, 'sessionId' | 'state'>
  /** The answer it is at has ended and is not the last: its tools run, or it is tried again. */
  goesOn: boolean
  /** Where it was cancelled. */
  cutOffId?: string
  discardBy?: string | undefined
}

/**
 * The answers that this server has on their way. They go on whether anybody listens or not: a session stays open as long
 * as one of its answers is not done, and no client can hold one up.
 */
export class Generations {
  private readonly options: GenerationsOptions
  private readonly runs = new Set<Run>()
  /** Those that are being announced. */
  private readonly starting = new Set<Promise<unknown>>()
  private isClosing = false

  constructor(options: GenerationsOptions) {
    this.options = options
  }

  get count(): number {
    return this.runs.size
  }

  /** The places of the answers are in the log when this resolves (W5). Gives their nodes, in the order asked for. */
  async start(live: LiveSession, request: GenerateRequest): Promise<readonly string[]> {
    if (this.isClosing) throw new TreelineError('rate_limited', 'The server is shutting down. Ask again in a moment.')
    const begun = this.begin(live, request)
    this.starting.add(begun)
    return begun.finally(() => this.starting.delete(begun))
  }

  running(sessionId: string): readonly Running[] {
    return [...this.runs]
      .filter((run) => run.live.id === sessionId && !isOver(run))
      .map(({ turnId, started, at }) => {
        return { sessionId, ...at, state: started.isWaiting(turnId) ? 'queued' : 'running' }
      })
  }

  /** False when it is not on its way here: it has ended, another process generates it, or there is no such thing. */
  cancel(generationId: string, { sessionId, discardBy }: CancelOptions = {}): boolean {
    const isMeant = ({ live, generationIds }: Run): boolean =>
      generationIds.has(generationId) && (sessionId === undefined || live.id === sessionId)
    const run = [...this.runs].find(isMeant)
    if (run === undefined) return false
    const hasEnded = isOver(run)
    run.discardBy = discardBy
    run.started.cancel(run.turnId)
    return !hasEnded
  }

  /** Cancels what is at one of these nodes. Gives those that are generated elsewhere. */
  cancelNodes(sessionId: string, nodeIds: readonly string[]): readonly string[] {
    return nodeIds.filter((nodeId) => {
      const run = [...this.runs].find(({ live, at }) => live.id === sessionId && at.nodeId === nodeId)
      run?.started.cancel(run.turnId)
      return run === undefined
    })
  }

  /** Cancels everything of a session and waits for it, before the session goes away. */
  async stop(sessionId: string): Promise<void> {
    const own = [...this.runs].filter(({ live }) => live.id === sessionId)
    for (const { started, turnId } of own) started.cancel(turnId)
    await Promise.all(own.map(({ over }) => over.promise))
  }

  /** Takes nothing more, waits so long for what is under way, and cancels what is left: its text so far is kept. */
  async drain(ms: number): Promise<void> {
    this.isClosing = true
    let isLate = false
    const cancelAll = (): void => {
      isLate = true
      for (const { started, turnId } of this.runs) started.cancel(turnId)
    }
    const timer = setTimeout(cancelAll, ms)
    // One that is being announced is among the others only afterwards.
    while (this.runs.size + this.starting.size > 0) {
      if (isLate) cancelAll()
      await Promise.allSettled([...this.starting, ...[...this.runs].map(({ over }) => over.promise)])
    }
    clearTimeout(timer)
  }

  private async begin(live: LiveSession, request: GenerateRequest): Promise<readonly string[]> {
    const { agent, hub } = this.options
    const lease = await hub.acquire(live.id)
    try {
      const started = await agent.generate(live.session, request)
      for (const nodeId of started.nodeIds) this.add(live, nodeId, started)
      this.follow(lease, started)
      return started.nodeIds
    } catch (error) {
      lease[Symbol.dispose]()
      throw error
    }
  }

  private add(live: LiveSession, nodeId: string, started: Started): void {
    const run: Run = {
      ...{ live, started, turnId: nodeId, over: Promise.withResolvers<void>() },
      ...{ generationIds: new Set<string>(), nodeIds: new Set<string>() },
      at: { generationId: nodeId, nodeId, model: '', startedAt: new Date().toISOString() },
      goesOn: false,
    }
    this.runs.add(run)
    this.goTo(run, nodeId, '')
  }

  /** The answer that it is at now. */
  private goTo(run: Run, nodeId: string, model: string): void {
    const { tree } = run.live.session
    const generationId = generationIdOf(tree, tree.ids.find(nodeId)) ?? nodeId
    const startedAt = nodeId === run.at.nodeId ? run.at.startedAt : new Date().toISOString()
    run.at = { generationId, nodeId, model, startedAt }
    run.goesOn = false
    run.generationIds.add(generationId)
    run.nodeIds.add(nodeId)
    run.live.openText(nodeId)
  }

  private async follow(lease: Lease, started: Started): Promise<void> {
    const { log } = this.options
    const sessionId = lease.live.id
    try {
      for await (const told of started.events) await this.read(started, told)
      for (const { error } of await started.done) {
        if (error !== undefined) log({ level: 'error', message: 'generation', sessionId, error: String(error) })
      }
    } catch (error) {
      log({ level: 'error', message: 'generation', sessionId, error: String(error) })
    } finally {
      for (const run of [...this.runs]) if (run.started === started) this.end(run)
      lease[Symbol.dispose]()
    }
  }

  private async read(started: Started, { generationId: turnId, event }: GenerationEvent): Promise<void> {
    const run = [...this.runs].find((one) => one.started === started && one.turnId === turnId)
    if (run === undefined) return
    this.readTurn(run, event)
    if (event.type !== 'ended') return
    await this.putAside(run)
    this.end(run)
    if (event.reason === 'stop') this.options.onAnswered?.(run.live)
  }

  private readTurn(run: Run, event: TurnEvent): void {
    if (event.type === 'started') this.goTo(run, event.nodeId, event.model)
    else if (event.type === 'delta') run.live.texts.add(event.nodeId, event.kind, event.text)
    else if (event.type === 'finished') run.goesOn = event.stopReason === 'toolUse'
    else if (event.type === 'retrying' || event.type === 'compacting') run.goesOn = true
    else if (event.type === 'failed' && event.isCancelled) run.cutOffId = event.nodeId
  }

  private async putAside({ live: { session }, discardBy, cutOffId }: Run): Promise<void> {
    if (discardBy === undefined || cutOffId === undefined) return
    try {
      await session.edit({ operations: [{ op: 'delete', nodeIds: [cutOffId] }], by: discardBy })
    } catch (error) {
      // It stays where it is, cut off, as it would have been without the wish.
      this.options.log({ level: 'warn', message: 'put aside', sessionId: session.id, error: String(error) })
    }
  }

  private end(run: Run): void {
    // What is told of its end has closed them; of one whose end could not be written nothing will be.
    for (const nodeId of run.nodeIds) run.live.texts.close(nodeId)
    this.runs.delete(run)
    run.over.resolve()
  }
}

/** Its last answer is in the log: what is left is to tell of it. */
function isOver({ live, at, goesOn }: Run): boolean {
  const { ids, columns } = live.session.tree
  return !goesOn && !columns.has(ids.find(at.nodeId), Flag.generating)
}
