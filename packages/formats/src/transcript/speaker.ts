import type { Entry } from '@treeline/core'

/** Who says a node, for headings. Consecutive nodes of one `turn` are read as one. */
export interface Speaker {
  readonly turn: 'user' | 'assistant' | 'system' | 'summary' | 'other'
  readonly title: string
  /** The model that answered. */
  readonly model?: string
}

export function speakerOf(entry: Entry | undefined): Speaker {
  if (entry === undefined) return { turn: 'other', title: 'Unreadable' }
  if (entry.type === 'compaction') return { turn: 'summary', title: 'Summary of what came before' }
  if (entry.type === 'branch_summary') return { turn: 'summary', title: 'Summary of another branch' }
  if (entry.type === 'custom_message') return { turn: 'other', title: textOr(entry.customType, 'Note') }
  const message = (typeof entry.message === 'object' ? entry.message : undefined) as Fields | null | undefined
  return speakerOfRole(message ?? {})
}

type Fields = Readonly<Record<string, unknown>>

function speakerOfRole(message: Fields): Speaker {
  switch (message.role) {
    case 'user':
    case 'bashExecution':
    case 'pythonExecution':
    case 'fileMention':
      return { turn: 'user', title: 'You' }
    case 'assistant': {
      const model = textOr(message.model, '')
      return { turn: 'assistant', title: 'Assistant', ...(model !== '' && { model }) }
    }
    case 'toolResult':
      return { turn: 'assistant', title: 'Assistant' }
    case 'system':
    case 'developer':
      return { turn: 'system', title: 'System' }
    default:
      return { turn: 'other', title: textOr(message.customType, textOr(message.role, 'Message')) }
  }
}

function textOr(value: unknown, instead: string): string {
  return typeof value === 'string' && value !== '' ? value : instead
}
