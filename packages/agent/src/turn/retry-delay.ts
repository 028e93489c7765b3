import type { Settings } from '../settings/settings.ts'
import type { ModelError } from './model-error.ts'

/**
 * How long to wait before the call is repeated; `undefined` gives up. Doubles from attempt to attempt with full jitter, so
 * that many who were refused together do not come back together. `attempt` is 1 for the first call.
 */
export function retryDelay(
  attempt: number,
  { isRetryable, retryAfterMs = 0 }: Pick<ModelError, 'isRetryable' | 'retryAfterMs'>,
  { enabled, maxRetries, baseDelayMs, maxDelayMs }: Settings['retry'],
  random: () => number,
): number | undefined {
  if (!enabled || !isRetryable || attempt > maxRetries) return undefined
  // The provider asks for more patience than the user has; the error says how much.
  if (retryAfterMs > maxDelayMs) return undefined
  const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  return Math.round(Math.min(maxDelayMs, retryAfterMs + random() * (retryAfterMs > 0 ? baseDelayMs : ceiling)))
}
