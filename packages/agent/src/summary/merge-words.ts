import { type AgentMessage, type Entry, preview, type Tree, textOf } from '@treeline/core'
import { cut } from '../compaction/serialise.ts'
import type { Fitted } from './fit-messages.ts'

/** Of what a tool gave back or a command printed. */
const MAX_OUTPUT_CHARS = 2_000
const TITLE_GRAPHEMES = 60

/** What a message says, for a reader who sees it among others. */
export function wordsOf(message: AgentMessage): string {
  switch (message.role) {
    case 'branchSummary':
    case 'compactionSummary':
      return textOf({ type: 'compaction', summary: message.summary } as unknown as Entry)
    case 'toolResult':
    case 'bashExecution':
    case 'pythonExecution':
      return cut(messageText(message), MAX_OUTPUT_CHARS)
    default:
      return messageText(message)
  }
}

function messageText(message: AgentMessage): string {
  return textOf({ type: 'message', message } as unknown as Entry).trim()
}

const NAMES: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Assistant',
  toolResult: 'Tool result',
  branchSummary: 'Summary of another branch',
  compactionSummary: 'Summary of what came before',
}

export function roleName({ role }: AgentMessage): string {
  return Object.hasOwn(NAMES, role) ? NAMES[role]! : 'User'
}

/** What a branch is called in a merged text: its label, or how it begins. */
export function branchTitle({ edits }: Tree, sourceId: string, number: number, { pieces }: Fitted): string {
  const label = edits.labels.get(sourceId.toWellFormed())?.label
  const about = preview(label ?? wordsOf(pieces[0]!.message), TITLE_GRAPHEMES)
  return about === '' ? `Branch ${number}` : `Branch ${number} (${about})`
}
