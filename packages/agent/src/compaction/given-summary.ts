import { TreelineError } from '@treeline/core'

/** The summary that a hook gave in place of a model's. A program's hook may be plain JavaScript, so it may give anything. */
export function readGivenSummary(value: unknown): string {
  const { summary } = (value ?? {}) as { readonly summary?: unknown }
  if (typeof summary === 'string' && summary.trim() !== '') return summary.trim()
  throw new TreelineError('forbidden', 'A hook gave a summary without any text. Nothing was changed.')
}
