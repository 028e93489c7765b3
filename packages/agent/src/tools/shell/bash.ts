import { z } from 'zod'
import { limitBytes } from '../limit-output.ts'
import type { Tool } from '../tool.ts'
import { visibleText } from '../visible-text.ts'
import { type CommandResult, runCommand } from './run-command.ts'

const MAX_TIMEOUT_SECONDS = 3600

const input = z.strictObject({
  command: z.string().min(1).describe('Run by bash in the project folder, without input'),
  timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).optional().describe('After this long it is ended'),
})
type Input = z.infer<typeof input>

export function createBashTool(defaultTimeoutMs: number): Tool<Input> {
  return {
    name: 'bash',
    description: `Run a command line. Gives its output, standard output and error together, and the exit code. Long output is cut in the middle and kept whole for read. Each call starts in the project folder. Ended after ${Math.ceil(defaultTimeoutMs / 1000)} seconds unless timeoutSeconds says otherwise. Send what is to go on in the background to a file.`,
    input,
    effect: 'run',
    isRepeatable: false,
    preview: ({ command }) => ({ title: 'bash', body: visibleText(command), language: 'shell' }),
    async run({ command, timeoutSeconds }, { cwd, session, secrets, signal, onOutput }) {
      const timeoutMs = timeoutSeconds === undefined ? defaultTimeoutMs : timeoutSeconds * 1000
      const startedAt = performance.now()
      const result = await runCommand(command, { cwd, timeoutMs, signal, onOutput })
      const { text, details } = await limitBytes(result.output, (bytes) => session.putBlob(bytes), secrets)
      const note = describeEnd(result, timeoutMs)
      const said = [text === '' ? '[no output]' : text, ...(note === '' ? [] : [`[${note}]`])].join('\n')
      return {
        content: [{ type: 'text', text: said }],
        isError: result.ended !== 'exited' || result.exitCode !== 0,
        details: { ...describeResult(result), ...details, durationMs: Math.round(performance.now() - startedAt) },
      }
    },
  }
}

function describeEnd({ ended, exitCode, signal, leftRunning }: CommandResult, timeoutMs: number): string {
  const notes: string[] = []
  if (ended === 'timeout') notes.push(`ended after ${timeoutMs / 1000} seconds: it took too long`)
  else if (ended === 'cancelled') notes.push('cancelled by the user')
  else if (signal !== undefined) notes.push(`ended by ${signal}`)
  else if (exitCode !== 0) notes.push(`exit code ${exitCode}`)
  if (leftRunning) notes.push('something it started is still running; its further output is not kept')
  return notes.join('; ')
}

function describeResult({ ended, exitCode, signal, leftRunning }: CommandResult): Record<string, unknown> {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(ended === 'timeout' && { timedOut: true }),
    ...(ended === 'cancelled' && { cancelled: true }),
    ...(leftRunning && { leftRunning: true }),
  }
}
