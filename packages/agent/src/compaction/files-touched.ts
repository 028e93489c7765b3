import type { AgentMessage } from '@treeline/core'
import { escapeTags } from './serialise.ts'

/** Paths as the model gave them, sorted. What was changed is not among what was only read. */
export interface FilesTouched {
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
}

const READING: ReadonlySet<unknown> = new Set(['read'])
const CHANGING: ReadonlySet<unknown> = new Set(['write', 'edit'])

/**
 * Which files a conversation read and changed: from its calls, and from the `details` of summaries that stand for what came
 * before (M16). A call that failed did nothing. Any shape is survived. Its own result may be given as details again.
 */
export function filesTouched(messages: readonly AgentMessage[], details: readonly unknown[]): FilesTouched {
  const read = new Set<string>()
  const modified = new Set<string>()
  for (const known of details) {
    if (!isObject(known)) continue
    for (const path of textsOf(known.readFiles)) read.add(path)
    for (const path of textsOf(known.modifiedFiles)) modified.add(path)
  }
  const failed = new Set<unknown>(
    messages.flatMap((message) => (message.role === 'toolResult' && message.isError ? [message.toolCallId] : [])),
  )
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of listOf(message.content)) {
      if (!isObject(block) || block.type !== 'toolCall' || !isObject(block.arguments) || failed.has(block.id)) continue
      const { path } = block.arguments
      if (typeof path !== 'string' || path === '') continue
      if (READING.has(block.name)) read.add(path)
      else if (CHANGING.has(block.name)) modified.add(path)
    }
  }
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}

/** The same for the end of a summary, as Pi writes it; empty without files. A path cannot end its block. */
export function fileBlocks({ readFiles, modifiedFiles }: FilesTouched): string {
  const block = (tag: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`<${tag}>\n${paths.map(asLine).join('\n')}\n</${tag}>`]
  return [...block('read-files', readFiles), ...block('modified-files', modifiedFiles)].join('\n\n')
}

function asLine(path: string): string {
  return escapeTags(path.replace(/\p{Cc}/gu, ' '))
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string' && item !== '') as string[]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
