import { previewColumns } from '@treeline/core'
import { t } from '../output/language.ts'
import { costText } from '../stats/figures.ts'
import type { Status } from './chat-snapshot.ts'
import { widthOf } from './markdown/wrap-runs.ts'

export interface StatusFacts {
  readonly status: Status
  /** The session's name, or its id in short. */
  readonly name: string
  readonly cwd: string
  readonly userHome: string | undefined
  readonly queued: number
}

export interface StatusPart {
  readonly text: string
  readonly isWarning?: boolean
}

interface Part extends StatusPart {
  /** The least important go first where there is no room. */
  readonly importance: number
}

/** Of a window that is as full as this little is left. */
const FULL_PERCENT = 80
const MIN_CWD = 8
const MAX_CWD = 400
/** A name may be as long as one likes. */
const MAX_NAME = 30

/** Who answers, how full its window is, what it has cost, what runs unasked, where we are: as much of it as there is room for. */
export function statusParts(facts: StatusFacts, columns: number, separator: string): readonly StatusPart[] {
  let parts = allParts(facts)
  const gap = widthOf(separator)
  const width = () => parts.reduce((sum, { text }) => sum + widthOf(text) + gap, -gap)
  const [cwd] = parts.filter(({ importance }) => importance === 0)
  if (cwd !== undefined && width() > columns) {
    const room = columns - (width() - widthOf(cwd.text))
    const shorter = room >= MIN_CWD ? fromEnd(cwd.text, room) : ''
    parts = parts.flatMap((part) => (part !== cwd ? [part] : shorter === '' ? [] : [{ ...part, text: shorter }]))
  }
  while (width() > columns && parts.length > 1) {
    const least = Math.min(...parts.map(({ importance }) => importance))
    parts = parts.filter(({ importance }) => importance !== least)
  }
  return parts.map((part) => ({ ...part, text: previewColumns(part.text, Math.max(1, columns)) }))
}

function allParts({ status, name, cwd, userHome, queued }: StatusFacts): readonly Part[] {
  const { model, thinking, mode } = status
  const parts: readonly Part[] = [
    { text: model, importance: 9 },
    { text: thinking === '' || thinking === 'off' ? '' : t('thinks {level}', { level: thinking }), importance: 3 },
    { ...windowPart(status), importance: 8 },
    { text: paidText(status), importance: 5 },
    { text: mode === 'default' ? '' : mode, isWarning: mode === 'yolo', importance: 7 },
    { text: queued === 0 ? '' : t('{count} waiting', { count: queued }), importance: 6 },
    { text: previewColumns(name, MAX_NAME), importance: 4 },
    { text: previewColumns(shortFolder(cwd, userHome), MAX_CWD), importance: 0 },
  ]
  return parts.filter(({ text }) => text !== '')
}

function windowPart({ tokens, window }: Status): StatusPart {
  if (window === 0) return { text: '' }
  const percent = Math.round((100 * tokens) / window)
  return { text: `${shortNumber(tokens)} ${percent}%`, isWarning: percent >= FULL_PERCENT }
}

function paidText({ cost, isCostPartial }: Status): string {
  if (cost <= 0) return ''
  return isCostPartial ? `+${costText(cost)}` : costText(cost)
}

function shortFolder(cwd: string, userHome: string | undefined): string {
  if (!userHome || (cwd !== userHome && !cwd.startsWith(`${userHome}/`))) return cwd
  return `~${cwd.slice(userHome.length)}`
}

/** The last names of a path say most. */
function fromEnd(path: string, columns: number): string {
  let shown = [...path]
  while (shown.length > 0 && widthOf(shown.join('')) > columns - 3) shown = shown.slice(1)
  return `...${shown.join('')}`
}

function shortNumber(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`
}
