import { isDeeperThan } from '@treeline/core'
import { errorOutput } from './error-output.ts'
import { limitOutput } from './limit-output.ts'
import type { AnyTool, ToolContext, ToolOutput } from './tool.ts'

/** A tool that does not end by itself after it was cancelled is left alone after this long. */
const CANCEL_GRACE_MS = 8000
const MAX_DETAILS_DEPTH = 32
const MAX_DETAILS_CHARS = 2_000_000

const CANCELLED: ToolOutput = {
  content: [{ type: 'text', text: 'Cancelled by the user before it was done.' }],
  isError: true,
  details: { cancelled: true },
}

/**
 * Runs a prepared call. Never throws: what goes wrong is an output that says so. What comes back is within the limits and
 * fit to be stored.
 */
export async function runTool(tool: AnyTool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const { session, secrets, signal } = context
  if (signal.aborted) return CANCELLED
  try {
    const output = await untilCancelled(tool.run(input, context), signal)
    // First of all: what no log would take cannot be searched for secrets either.
    const storable = withSafeDetails(checkOutput(tool.name, output))
    return await limitOutput(storable, (bytes) => session.putBlob(bytes), secrets)
  } catch (error) {
    return signal.aborted ? CANCELLED : errorOutput(error, secrets)
  }
}

/** What was cancelled ends soon, with what it has, or without having a say. */
async function untilCancelled(running: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => {}
  const givenUp = new Promise<ToolOutput>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(CANCELLED), CANCEL_GRACE_MS)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([running, givenUp])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Programs bring tools of their own, not all of them typed. */
function checkOutput(name: string, output: ToolOutput | undefined): ToolOutput {
  const content: unknown = output?.content
  const isFine =
    Array.isArray(content) &&
    content.every((block) =>
      block?.type === 'text'
        ? typeof block.text === 'string'
        : block?.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string',
    )
  if (isFine) return output!
  const error = new Error(`The tool ${name} gave back something that is no output. This is a bug in the tool.`)
  return errorOutput(error, [])
}

/** Details that no log would take are left out; the output is what counts. */
function withSafeDetails(output: ToolOutput): ToolOutput {
  const { details, ...rest } = output
  if (details === undefined || isStorable(details)) return output
  return { ...rest, details: { note: 'The details of this output could not be stored.' } }
}

function isStorable(details: object): boolean {
  if (isDeeperThan(details, MAX_DETAILS_DEPTH)) return false
  try {
    return JSON.stringify(details).length <= MAX_DETAILS_CHARS
  } catch {
    // A BigInt, or a toJSON that throws.
    return false
  }
}
