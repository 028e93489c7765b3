import { type Entry, preview } from '@treeline/core'
import { minuteText } from '../listing/age.ts'
import { numberText } from '../output/amount.ts'
import { paint, type Style } from '../output/style.ts'
import { costText } from '../stats/figures.ts'
import { entryText } from './entry-text.ts'
import { messageLines } from './message-lines.ts'

const STYLES: Readonly<Record<string, Style>> = { user: 'title', assistant: 'role' }

/** Ids of other tools may be anything. */
const MAX_ID = 64

export interface HeadMarks {
  readonly shownId: string
  readonly label: string | undefined
  /** Why a model would not get it. */
  readonly hidden: string | undefined
}

/** Who, when, and what is special about a node, in one line. */
export function headLine(entry: Entry | undefined, { shownId, label, hidden }: HeadMarks): string {
  const { role, toolName, model } = messageOf(entry)
  const who = preview(role ?? entry?.type ?? 'unreadable', 40)
  const about = [toolName, model].filter((word) => word !== undefined).map((word) => preview(word, 40))
  const notes = [
    ...about,
    minuteText(entry?.timestamp),
    ...(label === undefined ? [] : [`#${preview(label, 30)}`]),
    ...(hidden === undefined ? [] : [`(${hidden})`]),
  ]
  const shown = notes.filter((note) => note !== '').join('  ')
  return `${paint('id', preview(shownId, MAX_ID))}  ${paint(STYLES[who] ?? 'strong', who)}  ${paint('faint', shown)}`.trimEnd()
}

/** What a node says, to be read. */
export function* bodyLines(entry: Entry | undefined, options: { readonly full: boolean }): Generator<string> {
  if (entry === undefined) yield '  (its line cannot be read: `treeline doctor` says more)'
  else if (entry.type === 'message') yield* messageLines(entry.message, options)
  else yield* messageLines({ content: entryText(entry) }, options)
}

/** `1,200 in, 300 out, $0.0123` of a node whose answer was paid for; nothing for the others. */
export function usageText(entry: Entry | undefined): string | undefined {
  const { usage } = messageOf(entry)
  if (typeof usage !== 'object' || usage === null) return undefined
  const { input, output, cacheRead, cacheWrite, cost } = usage as Readonly<Record<string, unknown>>
  const total = (cost as { readonly total?: unknown } | undefined)?.total
  const parts = [
    [input, 'in'],
    [output, 'out'],
    [cacheRead, 'from the cache'],
    [cacheWrite, 'into the cache'],
  ].flatMap(([count, word]) => (typeof count === 'number' && count > 0 ? [`${numberText(count)} ${word}`] : []))
  if (typeof total === 'number' && total > 0) parts.push(costText(total))
  return parts.length === 0 ? undefined : `${parts.join(', ')}`
}

interface Said {
  readonly role?: string
  readonly toolName?: string
  readonly model?: string
  readonly usage?: unknown
}

/** Of a message what the head of it tells; whatever is of the wrong type is not there. */
function messageOf(entry: Entry | undefined): Said {
  const message = entry?.type === 'message' ? entry.message : undefined
  if (typeof message !== 'object' || message === null) return {}
  const { role, toolName, model, usage } = message as Readonly<Record<string, unknown>>
  return {
    ...(typeof role === 'string' && { role }),
    ...(typeof toolName === 'string' && { toolName }),
    ...(typeof model === 'string' && { model }),
    usage,
  }
}
