import { isDeeperThan, type ToolCallBlock } from '@treeline/core'
import type { z } from 'zod'
import { errorOutput } from './error-output.ts'
import type { AnyTool, ToolContext, ToolOutput, ToolPreview } from './tool.ts'
import { visibleLine } from './visible-text.ts'

/** An entry of the log may nest 64 deep, and the input is a part of one. */
const MAX_INPUT_DEPTH = 32
const MAX_INPUT_CHARS = 8_000_000
const MAX_ISSUES = 10

/** A call that can run, or what the model is told instead. */
export type PreparedCall =
  | { readonly type: 'ready'; readonly tool: AnyTool; readonly input: unknown; readonly preview: ToolPreview }
  | { readonly type: 'refused'; readonly output: ToolOutput }

/**
 * Finds the tool, checks its input and looks at what it would do. A call that is bound to fail is refused here, so that
 * nobody is asked about it. Prepare a call when it is next: what it would do may depend on the one before it. Never throws.
 */
export async function prepareCall(
  tools: readonly AnyTool[],
  call: Pick<ToolCallBlock, 'name' | 'arguments'>,
  context: ToolContext,
): Promise<PreparedCall> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    return refused(`There is no tool "${visibleLine(call.name.slice(0, 100))}". There are: ${names || 'none'}.`)
  }
  const problem = findExcess(call.arguments)
  if (problem !== undefined) return refused(problem)
  const parsed = tool.input.safeParse(call.arguments)
  if (!parsed.success) return refused(describeIssues(tool.name, parsed.error))
  const input: unknown = parsed.data
  try {
    return { type: 'ready', tool, input, preview: await tool.preview(input, context) }
  } catch (error) {
    return { type: 'refused', output: errorOutput(error, context.secrets) }
  }
}

function findExcess(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return 'The input is no object.'
  if (isDeeperThan(input, MAX_INPUT_DEPTH)) return `The input is nested more than ${MAX_INPUT_DEPTH} deep.`
  if (JSON.stringify(input).length > MAX_INPUT_CHARS) return `The input has more than ${MAX_INPUT_CHARS} characters.`
  return undefined
}

function describeIssues(name: string, { issues }: z.ZodError): string {
  const lines = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = path.map(String).join('.')
    return `- ${field === '' ? '' : `${visibleLine(field.slice(0, 100))}: `}${message.slice(0, 300)}`
  })
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`)
  return `The input of ${name} is not as it has to be:\n${lines.join('\n')}`
}

function refused(text: string): PreparedCall {
  return { type: 'refused', output: { content: [{ type: 'text', text }], isError: true } }
}
