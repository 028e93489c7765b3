import { hideInText } from './hide-secrets.ts'
import type { ToolOutput } from './tool.ts'

const MAX_CHARS = 4000

/** What went wrong, in words and without a stack: for the model. An error may quote a file, and the file hold a key. */
export function errorOutput(error: unknown, secrets: readonly string[]): ToolOutput {
  return { content: [{ type: 'text', text: errorText(error, secrets) }], isError: true }
}

export function errorText(error: unknown, secrets: readonly string[]): string {
  const text = error instanceof Error ? error.message || error.name : typeof error === 'string' ? error : ''
  return text === ''
    ? 'The tool failed and did not say why.'
    : hideInText(text, secrets).slice(0, MAX_CHARS).toWellFormed()
}
