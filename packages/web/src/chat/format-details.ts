import type { ChatMessageNode, NodeMetadata } from '@treeline/protocol'
import { language, t } from '../words/language.ts'

/** The hour for today, the day too for what was before. */
export function formatTime(ms: number, now: number = Date.now()): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString()
  const locale = language.get() === 'zh' ? 'zh-CN' : 'en-GB'
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'short', year: 'numeric' }),
  }).format(ms)
}

export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  return count < 999_500 ? `${trimmed(count / 1_000)}k` : `${trimmed(count / 1_000_000)}M`
}

export function formatCost({ amount, currency, estimated }: NonNullable<NodeMetadata['cost']>): string {
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 3 : 5
  const sign = currency === 'USD' ? '$' : `${currency} `
  return `${estimated ? '≈ ' : ''}${sign}${amount.toFixed(digits)}`
}

/** What is told of a message on demand: when, how much, how long, for what price. */
export function detailsOf({ timestamp, metadata = {} }: ChatMessageNode): string {
  const { tokenCount, cost, latency } = metadata
  return [
    formatTime(Date.parse(timestamp)),
    tokenCount &&
      t('{context} in, {output} out', {
        context: formatCount(tokenCount.context),
        output: formatCount(tokenCount.output),
      }),
    cost && formatCost(cost),
    latency && t('{seconds} s', { seconds: (latency.totalMs / 1_000).toFixed(1) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function trimmed(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, '')
}
