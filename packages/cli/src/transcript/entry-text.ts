import { type Entry, textOf } from '@treeline/core'

/** What an entry says, or for one that has no words what it does, e.g. `anthropic/claude-opus-4` of a model change. */
export function entryText(entry: Entry): string {
  return textOf(entry) || describe(entry)
}

function describe(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return ''
    case 'model_change':
      return words(entry.role, entry.model ?? joined(entry.provider, entry.modelId))
    case 'thinking_level_change':
      return words(entry.thinkingLevel ?? 'off')
    case 'mode_change':
      return words(entry.mode)
    case 'label':
      return words(
        entry.targetId,
        typeof entry.label === 'string' && entry.label !== '' ? `#${entry.label}` : 'cleared',
      )
    case 'session_info':
      return words(entry.name)
    case 'title_change':
      return words(entry.title)
    case 'custom':
      return words(entry.customType)
    case 'context_edit':
      return words(entry.replacement === null ? 'withdraws' : 'rewrites', entry.targetId)
    case 'usage':
    case 'model_usage':
      return words(joined(entry.provider, entry.model))
    default:
      return ''
  }
}

function joined(provider: unknown, model: unknown): string {
  return [provider, model].filter((part) => typeof part === 'string').join('/')
}

function words(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}
