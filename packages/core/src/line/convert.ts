import { isObject, isText } from '../context/json.ts'
import type { AgentMessage } from '../entry/message.ts'
import { isReadable, readImage, readParts, textPart } from './content.ts'
import { convertAssistant } from './convert-assistant.ts'
import type { Item, UserItem } from './item.ts'
import type { LineImage, LineText, LineToolResult, OutReason } from './line-message.ts'

type Stored = Readonly<Record<string, unknown>>

/** One stored message as the model will read it, or why it will not. Any shape is survived. */
export function convertMessage(message: AgentMessage, nodeId: string): Item | OutReason {
  const stored = message as unknown as Stored
  switch (message.role) {
    case 'assistant':
      return convertAssistant(stored, nodeId)
    case 'toolResult':
      return convertResult(stored, nodeId)
    case 'system':
    case 'developer': {
      const text = systemText(stored)
      return isReadable(text) ? { type: 'system', tag: message.role, text, nodeId } : 'empty'
    }
    case 'bashExecution':
    case 'pythonExecution':
      return stored.excludeFromContext === true ? 'excluded' : user(nodeId, [textPart(executionText(stored))])
    case 'fileMention':
      return user(nodeId, fileParts(stored.files))
    case 'branchSummary':
      return user(nodeId, summaryParts('What was tried on another branch, in short:', stored.summary))
    case 'compactionSummary':
      return user(nodeId, summaryParts('The conversation up to here, in short:', stored.summary))
    default:
      // user, custom, hookMessage, and roles nobody has told us about: their text is for the model.
      return user(nodeId, readParts(stored.content))
  }
}

function user(nodeId: string, parts: (LineText | LineImage)[]): UserItem | OutReason {
  return parts.length === 0 ? 'empty' : { type: 'user', nodeId, parts }
}

function convertResult(stored: Stored, nodeId: string): Item {
  const output = readParts(stored.content)
  const part: LineToolResult = {
    type: 'tool_result',
    toolCallId: typeof stored.toolCallId === 'string' ? stored.toolCallId : '',
    name: isText(stored.toolName) ? stored.toolName : 'tool',
    output: output.length === 0 ? [textPart('(no output)')] : output,
    isError: stored.isError === true,
  }
  return { type: 'result', nodeId, part }
}

/** Content first, then the named sections of Pi's system state. Providers take nothing but text as system. */
function systemText(stored: Stored): string {
  const texts = readParts(stored.content).map((part) => (part.type === 'text' ? part.text : '[image not shown]'))
  if (isObject(stored.sections)) {
    for (const section of Object.values(stored.sections)) if (isReadable(section)) texts.push(section)
  }
  return texts.join('\n\n')
}

function executionText(stored: Stored): string {
  const isBash = stored.role === 'bashExecution'
  const source = asText(isBash ? stored.command : stored.code)
  const lines = isBash ? [`Ran \`${source}\``] : ['Ran Python', fence(source, 'python')]
  lines.push(isReadable(stored.output) ? fence(stored.output, '') : '(no output)')
  if (stored.cancelled === true) lines.push('(cancelled)')
  else if (typeof stored.exitCode === 'number' && stored.exitCode !== 0) lines.push(`(exit code ${stored.exitCode})`)
  if (stored.truncated === true && isText(stored.fullOutputPath))
    lines.push(`(cut; all of it: ${stored.fullOutputPath})`)
  return lines.join('\n')
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function fence(text: string, language: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function fileParts(files: unknown): (LineText | LineImage)[] {
  if (!Array.isArray(files)) return []
  const parts: (LineText | LineImage)[] = []
  for (const file of files as readonly unknown[]) {
    if (!isObject(file)) continue
    const content = typeof file.content === 'string' ? file.content : ''
    parts.push(textPart(`<file path=${JSON.stringify(asText(file.path))}>\n${content}\n</file>`))
    if (isObject(file.image)) parts.push(readImage(file.image))
  }
  return parts
}

function summaryParts(heading: string, summary: unknown): LineText[] {
  return isReadable(summary) ? [textPart(`${heading}\n\n<summary>\n${summary}\n</summary>`)] : []
}
