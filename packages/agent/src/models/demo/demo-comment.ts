import type { LanguageModelV4ToolApprovalResponsePart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { shorten } from './demo-text.ts'

const SHOWN_CHARS = 120

/** What it makes of what the tools returned. */
export function commentResults(
  parts: readonly (LanguageModelV4ToolResultPart | LanguageModelV4ToolApprovalResponsePart)[],
): string {
  const results = parts.filter((part) => part.type === 'tool-result')
  if (results.length === 0) return 'No tool returned anything.'
  const said = results.map(({ toolName, output }) => `\n- ${toolName}: ${comment(output)}`)
  return `${results.length === 1 ? 'The tool has' : `${results.length} tools have`} answered:\n${said.join('')}`
}

function comment(output: LanguageModelV4ToolResultPart['output']): string {
  switch (output.type) {
    case 'execution-denied':
      return `it was not allowed${output.reason === undefined ? '' : ` (${shorten(output.reason, SHOWN_CHARS)})`}`
    case 'error-text':
      return `it failed: ${shorten(output.value, SHOWN_CHARS)}`
    case 'error-json':
      return `it failed: ${shorten(JSON.stringify(output.value), SHOWN_CHARS)}`
    case 'text':
      return describe(output.value)
    case 'json':
      return describe(JSON.stringify(output.value))
    case 'content':
      return describe(output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n'))
  }
}

function describe(text: string): string {
  const lines = text.trim() === '' ? 0 : text.trim().split('\n').length
  if (lines === 0) return 'nothing'
  const [first = ''] = text.trim().split('\n', 1)
  const count = lines === 1 ? 'one line' : `${lines} lines, the first of them`
  return `${count}: ${shorten(first, SHOWN_CHARS)}`
}
