import { unpaint } from '../../output/style.ts'
import { type Column, table } from '../../output/table.ts'
import type { ChatActions } from '../chat-actions.ts'

/** What the transcript puts before a line of ours. */
const MARGIN = 4

/** How wide a line of an answer may be. */
export function answerWidth({ context }: ChatActions): number {
  return context.out.columns - MARGIN
}

/** Rows of one plain line each, as one text. */
export function plainTable(
  actions: ChatActions,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  return plain(table(columns, rows, answerWidth(actions)))
}

/** Lines that were made for the command line, without their colours. */
export function plain(lines: Iterable<string>): string {
  return Array.from(lines, unpaint).join('\n')
}
