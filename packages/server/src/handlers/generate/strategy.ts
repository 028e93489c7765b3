import { TreelineError } from '@treeline/core'

/**
 * What is done with a line that a model has no room for: it is refused, the conversation is summed up once the model has
 * said that it is too long, or the oldest turns are left out.
 */
const STRATEGIES = ['default', 'compact', 'truncate'] as const

export type Strategy = (typeof STRATEGIES)[number]

export function strategyOf(given: string | undefined): Strategy {
  const found = STRATEGIES.find((one) => one === (given ?? 'default'))
  if (found !== undefined) return found
  const message = `There is no strategy of this name. There are: ${STRATEGIES.join(', ')}.`
  throw new TreelineError('validation_failed', message)
}
