import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { buildConversationHistory, type FlatEntry, findIncompleteToolCalls } from '@treeline/core'
import { createFileStorage } from '@treeline/store'
import { toolCallIdOf } from '../p9-record.ts'
import { type LoadedSession, type LoadOptions, loadWithLeaf } from './load-session.ts'
import { SessionWriter, type WriterOptions } from './session-writer.ts'

/** Whatever goes on with a conversation. */
export interface RestorableAgent {
  restoreHistory(history: readonly FlatEntry[]): void
}

/** What is made when nobody says how: it has the history, and that is all. */
export class RestoredAgent implements RestorableAgent {
  history: readonly FlatEntry[] = []

  restoreHistory(history: readonly FlatEntry[]): void {
    this.history = history
  }
}

export interface RecoverOptions<A extends RestorableAgent> extends LoadOptions {
  /** Makes the agent that is given the history. */
  readonly createAgent?: (() => A) | undefined
  /** Where messages go; `console.log` by default. */
  readonly log?: ((message: string) => void) | undefined
}

export interface RetryOptions<A extends RestorableAgent> extends RecoverOptions<A>, WriterOptions {
  /** Runs a call again. Only those that `isIdempotent` says yes to are. */
  readonly executeTool?: ((call: FlatEntry) => Promise<{ readonly output: string }>) | undefined
  /** Whether running this call twice does no harm. Without it none is run again (X66). */
  readonly isIdempotent?: ((call: FlatEntry) => boolean) | undefined
}

const INTERRUPTED =
  'Interrupted: the session ended before this tool call did. It was not run again; what it did is unknown.'

/** An agent with the history of the branch the file ends at (P16); a new one when there is no file, or an empty one (X68). */
export async function recoverSession<A extends RestorableAgent = RestoredAgent>(
  path: string,
  options: RecoverOptions<A> = {},
): Promise<A> {
  const { createAgent = () => new RestoredAgent() as RestorableAgent as A, log = console.log } = options
  const agent = createAgent()
  const { entries, lastId } = await load(path, options)
  if (lastId === undefined) return agent
  const history = buildConversationHistory(entries, lastId)
  agent.restoreHistory(history)
  log(`✓ Recovered session with ${history.length} messages`)
  return agent
}

/**
 * As `recoverSession`, after answering the calls of the active branch that have no result (P18). Each is marked as
 * interrupted, unless it is declared idempotent and `executeTool` is given: then it is run again (X66). Results are appended
 * (X9), and the conversation stays on its branch (X67). Nothing is written before a call is run again, because the format has
 * no place for it; a process that dies then finds the call incomplete once more.
 */
export async function recoverWithRetry<A extends RestorableAgent = RestoredAgent>(
  path: string,
  options: RetryOptions<A> = {},
): Promise<A> {
  const { log = console.log } = options
  const { entries, lastId } = await load(path, options)
  const history = lastId === undefined ? [] : buildConversationHistory(entries, lastId)
  const active = new Set(history)
  const incomplete = findIncompleteToolCalls(entries).filter((call) => active.has(call))
  if (incomplete.length > 0) {
    log(`Found ${incomplete.length} incomplete tool calls`)
    await answer(path, history, new Set(incomplete), options)
  }
  return recoverSession(path, options)
}

async function answer<A extends RestorableAgent>(
  path: string,
  history: readonly FlatEntry[],
  incomplete: ReadonlySet<FlatEntry>,
  options: RetryOptions<A>,
): Promise<void> {
  const writer = new SessionWriter(path, 1, undefined, options)
  try {
    await appendAnswers(writer, history, incomplete, options)
  } finally {
    await writer.close()
  }
}

/**
 * Calls at the end of the branch are answered there, one below the other from the inside out, so that all of them are on the
 * branch (X65). One that the conversation went on from without an answer gets it beside what came after.
 */
async function appendAnswers<A extends RestorableAgent>(
  writer: SessionWriter,
  history: readonly FlatEntry[],
  incomplete: ReadonlySet<FlatEntry>,
  options: RetryOptions<A>,
): Promise<void> {
  const tailStart = history.findLastIndex(({ type }) => type === 'user' || type === 'assistant') + 1
  const inTail: FlatEntry[] = []
  for (const [position, call] of history.entries()) {
    if (!incomplete.has(call)) continue
    const result = await resultOf(call, options)
    if (position >= tailStart) inTail.unshift(result)
    else await writer.append({ ...result, parentId: call.id })
  }
  let end = history.at(-1)!
  for (const result of inTail) {
    end = { ...result, parentId: end.id }
    await writer.append(end)
  }
  // What was put beside the branch must not be where the conversation goes on.
  if (inTail.length === 0) await writer.append(end)
}

async function resultOf<A extends RestorableAgent>(call: FlatEntry, options: RetryOptions<A>): Promise<FlatEntry> {
  const { executeTool, isIdempotent } = options
  const toolCallId = toolCallIdOf(call as unknown as Record<string, unknown>)
  const about = toolCallId === undefined ? {} : { toolCallId }
  const isRun = executeTool !== undefined && isIdempotent?.(call) === true
  const { output, isError } = isRun ? await run(executeTool, call) : { output: INTERRUPTED, isError: true }
  const metadata = { ...about, ...(isRun ? { retried: true } : { interrupted: true }), ...(isError && { isError }) }
  return { id: randomUUID(), timestamp: Date.now(), type: 'tool_result', content: output, metadata }
}

async function run(
  executeTool: NonNullable<RetryOptions<RestorableAgent>['executeTool']>,
  call: FlatEntry,
): Promise<{ readonly output: string; readonly isError: boolean }> {
  try {
    const { output } = await executeTool(call)
    return { output, isError: false }
  } catch (error) {
    return { output: `The tool failed: ${error instanceof Error ? error.message : String(error)}`, isError: true }
  }
}

async function load(path: string, options: LoadOptions): Promise<LoadedSession> {
  const { storage = createFileStorage() } = options
  return storage.existsSync(resolve(path)) ? loadWithLeaf(path, options) : { entries: [], lastId: undefined }
}
