import { type BashExecutionMessage, type Entry, newEntryId, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { forgetRunning, noteRunning } from '../turn/running.ts'
import { errorText } from './error-output.ts'
import { limitBytes } from './limit-output.ts'
import { type CommandResult, runCommand } from './shell/run-command.ts'

export interface ShellCommand {
  readonly command: string
  /** Typed with `!!`: in the tree, but never told to the model. */
  readonly isExcluded: boolean
  readonly signal: AbortSignal
  readonly onOutput?: (text: string) => void
}

/**
 * Runs what a user typed behind `!` or `!!` and puts command and output into the tree. A `treeline/attempt` that names the
 * node to come is durable before it runs, so that a crash leaves a trace. A command that is cancelled keeps its output; one
 * that cannot be started says why in it.
 */
export async function runShellCommand(
  { cwd, settings, secrets }: Pick<AgentEnv, 'cwd' | 'settings' | 'secrets'>,
  session: Session,
  { command, isExcluded, signal, onOutput = () => {} }: ShellCommand,
): Promise<{ readonly entry: Entry; readonly exitCode: number | undefined }> {
  signal.throwIfAborted()
  const parentId = session.leafId
  const place = { parentId, leaf: { ifAt: parentId } }
  const nodeId = newEntryId((id) => session.tree.ids.find(id) > ROOT)
  const shown = command.toWellFormed()
  const { writer } = session
  const data = { nodeId, name: 'shell', command: shown, isExcluded, ...(writer !== undefined && { writer }) }
  noteRunning(session.id, nodeId)
  try {
    await session.append({ type: 'custom', customType: 'treeline/attempt', data }, place)
    const outcome = await run(command, session, secrets(), { cwd, timeoutMs: settings.bashTimeoutMs, signal, onOutput })
    const message: BashExecutionMessage = {
      role: 'bashExecution',
      command: shown,
      ...outcome,
      ...(isExcluded && { excludeFromContext: true }),
      timestamp: Date.now(),
    }
    const entry = await session.append({ type: 'message', id: nodeId, message }, place)
    return { entry, exitCode: outcome.exitCode }
  } finally {
    forgetRunning(session.id, nodeId)
  }
}

type Outcome = Pick<BashExecutionMessage, 'output' | 'exitCode' | 'cancelled' | 'truncated' | 'fullOutputPath'>

async function run(
  command: string,
  session: Session,
  secrets: readonly string[],
  options: Parameters<typeof runCommand>[1],
): Promise<Outcome> {
  let result: CommandResult
  try {
    result = await runCommand(command, options)
  } catch (error) {
    return { output: errorText(error, secrets), cancelled: options.signal.aborted, truncated: false }
  }
  const { ended, exitCode, signal } = result
  const { text, isCut, details } = await limitBytes(result.output, (bytes) => session.putBlob(bytes), secrets)
  const notes = [
    ...(ended === 'timeout' ? [`[ended after ${options.timeoutMs / 1000} seconds: it took too long]`] : []),
    ...(ended === 'exited' && signal !== undefined ? [`[ended by ${signal}]`] : []),
  ]
  return {
    output: [...(text === '' ? [] : [text]), ...notes].join('\n'),
    ...(exitCode !== undefined && { exitCode }),
    cancelled: ended === 'cancelled',
    truncated: isCut,
    ...(details.fullOutput !== undefined && { fullOutputPath: details.fullOutput }),
  }
}
