import type { FormatNote } from '@treeline/formats'
import { counted } from '../output/amount.ts'

const WORDS: Readonly<Record<FormatNote['kind'], string>> = {
  damage: 'damaged',
  left_out: 'left out',
  changed: 'changed',
  info: 'worth knowing',
}

/** `3 notes: 2 left out, 1 changed`; nothing without notes. */
export function summariseNotes(notes: readonly FormatNote[]): string {
  if (notes.length === 0) return ''
  const kinds = Object.keys(WORDS) as FormatNote['kind'][]
  const counts = kinds
    .map((kind) => [notes.filter((note) => note.kind === kind).length, WORDS[kind]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
  return `${counted(notes.length, 'note')}: ${counts.join(', ')}`
}

export function noteText({ kind, message, line }: FormatNote): string {
  return `${WORDS[kind]}${line === undefined ? '' : ` (line ${line})`}: ${message}`
}
