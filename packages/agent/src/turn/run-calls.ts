import type { ToolCallBlock, ToolResultMessage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { applyAnswer } from '../tools/apply-answer.ts'
import type { ApprovalAnswer, ApprovalQuestion } from '../tools/approval.ts'
import { decide, readAllowed } from '../tools/decide.ts'
import { hideInText } from '../tools/hide-secrets.ts'
import { type PreparedCall, prepareCall } from '../tools/prepare-call.ts'
import { runTool } from '../tools/run-tool.ts'
import type { ToolContext, ToolOutput } from '../tools/tool.ts'
import type { Answer } from './answer.ts'
import { isUnreadableCall } from './answer-builder.ts'
import type { TurnEvent } from './events.ts'
import { forgetRunning } from './running.ts'

export const ATTEMPT_TYPE = 'treeline/attempt'

export interface CallsDone {
  /** The last result: where the branch ends now. */
  readonly tipId: string | null
  readonly outcome: 'done' | 'cancelled' | 'denied'
}

/**
 * Runs the tools an answer asks for, one after the other: each is asked for where it has to be, noted before it runs (D6),
 * and answered on the same path (X69), also when it is denied, fails or is cancelled.
 */
export async function runCalls(
  env: AgentEnv,
  session: Session,
  { nodeId, calls }: Pick<Answer, 'nodeId' | 'calls'>,
  signal: AbortSignal,
  emit: (event: TurnEvent) => void,
): Promise<CallsDone> {
  const caller = new ToolCaller(env, session, nodeId, signal, emit)
  try {
    for (const [i, call] of calls.entries()) {
      if (signal.aborted) {
        await caller.leaveOut(calls.slice(i), 'Not run: the user cancelled the turn.')
        break
      }
      if ((await caller.call(call, nodeId)) === 'denied') {
        await caller.leaveOut(calls.slice(i + 1), 'Not run: the user denied another call of this turn.')
        return { tipId: caller.tipId, outcome: 'denied' }
      }
    }
    return { tipId: caller.tipId, outcome: signal.aborted ? 'cancelled' : 'done' }
  } finally {
    forgetRunning(session.id, nodeId)
  }
}

type ReadyCall = Extract<PreparedCall, { type: 'ready' }>

/** Calls tools for one branch and puts what they say at its end. */
export class ToolCaller {
  tipId: string | null
  private readonly env: AgentEnv
  private readonly session: Session
  private readonly signal: AbortSignal
  private readonly emit: (event: TurnEvent) => void

  constructor(
    env: AgentEnv,
    session: Session,
    tipId: string | null,
    signal: AbortSignal,
    emit: (event: TurnEvent) => void,
  ) {
    this.env = env
    this.session = session
    this.tipId = tipId
    this.signal = signal
    this.emit = emit
  }

  /** `denied` when the user wants the turn to stop. */
  async call(call: ToolCallBlock, nodeId: string): Promise<'denied' | undefined> {
    const prepared = await this.prepare(call, nodeId)
    if (prepared === undefined) return undefined
    const answer = await this.approve(call, nodeId, prepared)
    if (answer.decision !== 'deny') {
      await this.run(call, nodeId, prepared)
      return undefined
    }
    const { reason } = answer
    await this.answer(call, errorText(reason === undefined ? 'The user denied this call.' : `Denied: ${reason}`))
    return reason === undefined && !this.signal.aborted ? 'denied' : undefined
  }

  /** Once more and without a question. False when it cannot run as it is, or somebody would have to be asked. */
  async rerun(call: ToolCallBlock, nodeId: string, isAllowed: boolean): Promise<boolean> {
    const prepared = await this.look(call)
    if (prepared.type !== 'ready' || (!isAllowed && !this.runsUnasked(prepared))) return false
    await this.run(call, nodeId, prepared)
    return true
  }

  async leaveOut(calls: readonly ToolCallBlock[], why: string): Promise<void> {
    for (const call of calls) await this.answer(call, errorText(why))
  }

  /** Puts a result at the end of the branch. */
  async answer(call: ToolCallBlock, output: ToolOutput): Promise<void> {
    const message = resultMessage(call, output, this.env.clock.now())
    const { isError } = message
    const place = { parentId: this.tipId, leaf: { ifAt: this.tipId } }
    const { id } = await this.session.append({ type: 'message', message }, place)
    this.tipId = id
    this.emit({ type: 'tool_done', nodeId: id, toolCallId: call.id, name: call.name, isError })
  }

  /** `undefined` when it cannot be called as it is; the model is told why. */
  private async prepare(call: ToolCallBlock, nodeId: string): Promise<ReadyCall | undefined> {
    const prepared = await this.look(call)
    if (prepared.type === 'ready') return prepared
    this.emit({ type: 'tool_asked', nodeId, toolCallId: call.id, name: call.name, input: call.arguments })
    await this.answer(call, prepared.output)
    return undefined
  }

  private look(call: ToolCallBlock): Promise<PreparedCall> {
    if (!isUnreadableCall(call)) return prepareCall(this.env.tools, call, this.contextOf(call))
    const output = errorText(`The input of ${call.name} was no JSON object. Call it again with one.`)
    return Promise.resolve({ type: 'refused', output })
  }

  private async approve(call: ToolCallBlock, nodeId: string, prepared: ReadyCall): Promise<ApprovalAnswer> {
    const { env, session, signal } = this
    const asked = { type: 'tool_asked', nodeId, toolCallId: call.id, name: call.name, input: prepared.input } as const
    const { tool, preview } = prepared
    if (this.runsUnasked(prepared)) {
      this.emit(asked)
      return { decision: 'once' }
    }
    const question: ApprovalQuestion = {
      sessionId: session.id,
      nodeId,
      toolCallId: call.id,
      toolName: call.name,
      effect: tool.effect,
      input: prepared.input,
      cwd: env.cwd,
      preview,
    }
    this.emit({ ...asked, question })
    if (env.ask === undefined) {
      return { decision: 'deny', reason: 'it needs an approval, and nobody is there to give it.' }
    }
    const { ask } = env
    const answer = await askUser(async () => ask(question, signal), signal)
    if (answer === undefined) return { decision: 'deny', reason: 'the user cancelled the turn.' }
    await applyAnswer(session, question, answer)
    return answer
  }

  private runsUnasked({ tool, preview: { isOutsideProject } }: ReadyCall): boolean {
    const { settings, maxApprovalMode } = this.env
    return decide({ ...readAllowed(this.session, settings, maxApprovalMode), tool, isOutsideProject }) === 'run'
  }

  private async run(call: ToolCallBlock, nodeId: string, { tool, input }: ReadyCall): Promise<void> {
    const { writer } = this.session
    const { isRepeatable } = tool
    const data = { toolCallId: call.id, nodeId, name: call.name, isRepeatable, ...(writer !== undefined && { writer }) }
    const place = { parentId: this.tipId, leaf: { ifAt: this.tipId } }
    await this.session.append({ type: 'custom', customType: ATTEMPT_TYPE, data }, place)
    this.emit({ type: 'tool_started', nodeId, toolCallId: call.id, name: call.name })
    await this.answer(call, await runTool(tool, input, this.contextOf(call)))
  }

  private contextOf(call: ToolCallBlock): ToolContext {
    const { session, tipId, signal, env, emit } = this
    const secrets = env.secrets()
    return {
      session,
      tipId,
      cwd: env.cwd,
      toolCallId: call.id,
      secrets,
      signal,
      onOutput: (text) => emit({ type: 'tool_output', toolCallId: call.id, text: hideInText(text, secrets) }),
    }
  }
}

/** `undefined` when the turn was cancelled, or whoever was to be asked could not answer. */
async function askUser(ask: () => Promise<ApprovalAnswer>, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
  let stop = (): void => {}
  const cancelled = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([ask(), cancelled])
  } catch (error) {
    if (signal.aborted) return undefined
    return { decision: 'deny', reason: `the question could not be answered (${String(error)}).` }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export function resultMessage(
  { id, name }: ToolCallBlock,
  { content, isError = false, details }: ToolOutput,
  timestamp: number,
): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content,
    isError,
    ...(details !== undefined && { details }),
    timestamp,
  }
}

export function errorText(text: string): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true }
}
