import { type QueryOf, type Routes, routes } from '@treeline/protocol'

export type ExportFormat = QueryOf<Routes['exportSession']>['format']

export interface ExportChoice {
  readonly format: ExportFormat
  readonly scope: 'trunk' | 'tree'
  readonly enabledOnly: boolean
}

export const EXPORT_FORMATS: readonly ExportFormat[] = ['markdown', 'html', 'text', 'json', 'jsonl']

/** The clean final version (T43): the trunk without what is muted. */
export const FINAL_VERSION: ExportChoice = { format: 'markdown', scope: 'trunk', enabledOnly: true }

/** A whole log holds what is muted too: the server says no to that wish. */
export function canLeaveMutedOut({ format, scope }: ExportChoice): boolean {
  return !(format === 'jsonl' && scope === 'tree')
}

/** Where the file is had. A link to it is streamed to the disk by the browser, whatever its size. */
export function exportUrl(sessionId: string, choice: ExportChoice): string {
  const path = routes.exportSession.path.replace('{sessionId}', encodeURIComponent(sessionId))
  const query = new URLSearchParams({ format: choice.format, scope: choice.scope })
  if (choice.enabledOnly && canLeaveMutedOut(choice)) query.set('enabledOnly', 'true')
  return `${path}?${query}`
}
