import { isObject, isText, type JsonObject } from '../context/json.ts'
import type { Entry } from '../entry/entry.ts'
import { describeToolCall } from './tool-call-text.ts'

/**
 * What a node says, as plain words: for previews, lists and search. Any shape is survived; what has no words gives `''`.
 * The text is as stored: show it through `plainText` or `preview`.
 */
export function textOf(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) ? messageText(entry.message) : ''
    case 'custom_message':
      return contentText(entry.content)
    case 'branch_summary':
    case 'compaction':
      return textOr(entry.summary)
    default:
      return ''
  }
}

function messageText(message: JsonObject): string {
  switch (message.role) {
    case 'assistant':
      return assistantText(message)
    case 'bashExecution':
      return joinLines([`$ ${textOr(message.command)}`, textOr(message.output)])
    case 'pythonExecution':
      return joinLines([`>>> ${textOr(message.code)}`, textOr(message.output)])
    case 'fileMention':
      return joinLines(listOf(message.files).map((file) => `@${isObject(file) ? textOr(file.path) : ''}`))
    case 'system':
      return joinLines([contentText(message.content), ...sectionTexts(message.sections)])
    default:
      return contentText(message.content)
  }
}

/** A turn that only thought or only failed is told by its thoughts or its error. */
function assistantText(message: JsonObject): string {
  const said = contentText(message.content)
  if (said !== '') return said
  if (isText(message.errorMessage)) return message.errorMessage
  return joinLines(listOf(message.content).map((block) => (isObject(block) ? textOr(block.thinking) : '')))
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return joinLines(listOf(content).map(blockText))
}

function blockText(block: unknown): string {
  if (!isObject(block)) return textOr(block)
  if (block.type === 'toolCall') return describeToolCall(block.name, block.arguments)
  if (block.type === 'image') return '[image]'
  return textOr(block.text)
}

/** Pi's system state: named texts, `null` for one that was withdrawn. */
function sectionTexts(sections: unknown): string[] {
  return isObject(sections) ? Object.values(sections).map(textOr) : []
}

function joinLines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
