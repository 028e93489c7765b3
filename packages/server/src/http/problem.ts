import { TreelineError } from '@treeline/core'
import type { Problem } from '@treeline/protocol'
import type { z } from 'zod'

const MAX_ISSUES = 5
const MAX_NODE_IDS = 20

/** A request that is not of the shape its route takes. The same code, for what cannot be done, has the status 422. */
class ShapeError extends TreelineError {
  override get status(): number {
    return 400
  }
}

export function shapeError(where: string, { issues }: z.ZodError): TreelineError {
  const told = issues.slice(0, MAX_ISSUES).map((issue) => {
    const field = [where, ...issue.path.map((part) => String(part).slice(0, 80))].join('.')
    return `${field}: ${messageOf(issue).slice(0, 300)}`
  })
  if (issues.length > MAX_ISSUES) told.push(`and ${issues.length - MAX_ISSUES} more`)
  // Of the right shape, but more than is taken at once.
  const isTooMuch = issues.every((issue) => issue.code === 'too_big' && issue.origin === 'array')
  return new (isTooMuch ? TreelineError : ShapeError)('validation_failed', told.join('; '))
}

/** Of what may have several forms by itself only that it has none of them: so what each of them misses. */
function messageOf(issue: z.ZodError['issues'][number]): string {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue.message
  return [...new Set(issue.errors.flatMap(([first]) => first?.message ?? []))].join(', or: ')
}

/** An error as clients see it. What was not raised on purpose says nothing of its insides. */
export function toProblem(error: unknown, requestId: string): Problem {
  const known = error instanceof TreelineError ? error : new TreelineError('internal', INTERNAL, {}, { cause: error })
  const { code, status, details, message } = known
  const { opIndex, conflicts, currentVersion, tokens, nodeIds = [] } = details
  return {
    type: `about:blank#${code}`,
    title: code.replaceAll('_', ' '),
    status,
    code,
    detail: message,
    requestId,
    ...(currentVersion !== undefined && { currentVersion }),
    ...(tokens !== undefined && { tokens }),
    ...(opIndex !== undefined && { opIndex }),
    ...(nodeIds.length > 0 && { nodeIds: nodeIds.slice(0, MAX_NODE_IDS).map((id) => String(id).slice(0, 128)) }),
    ...(conflicts !== undefined && { conflicts: conflicts.map((conflict) => ({ ...conflict })) }),
    ...(status === 429 && { retryAfterMs: RETRY_AFTER_MS }),
  }
}

const INTERNAL = 'Something went wrong in the server. Its log says more under the request’s id.'
export const RETRY_AFTER_MS = 1_000
