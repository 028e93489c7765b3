import { plainText, previewColumns } from '@treeline/core'
import { Text } from 'ink'
import type { Status } from './chat-snapshot.ts'
import { t } from './language.ts'

interface StatusProps {
  readonly status: Status
  readonly name: string
  readonly cwd: string
  readonly columns: number
  readonly queued: number
  readonly isUnicode: boolean
}

/** One line: who answers, how full its window is, what it has cost, what runs unasked, where we are. */
export function StatusLine({ status, name, cwd, columns, queued, isUnicode }: StatusProps) {
  const { model, thinking, tokens, window, cost, mode } = status
  const share = window === 0 ? '' : `${shortNumber(tokens)} ${Math.round((100 * tokens) / window)}%`
  const parts = [
    model,
    thinking === '' || thinking === 'off' ? '' : t('thinks {level}', { level: thinking }),
    share,
    cost > 0 ? `$${cost.toFixed(cost < 1 ? 4 : 2)}` : '',
    mode === 'default' ? '' : mode,
    queued === 0 ? '' : t('{count} waiting', { count: queued }),
    name,
    cwd,
  ]
  const line = parts.filter((part) => part !== '').join(isUnicode ? ' · ' : ' | ')
  const shown = previewColumns(plainText(line), isUnicode ? columns - 1 : columns - 3)
  return <Text dimColor>{isUnicode ? shown : shown.replaceAll('…', '...')}</Text>
}

function shortNumber(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`
}
