import { TreelineError } from '@treeline/core'
import type { Problem } from '@treeline/protocol'
import type { z } from 'zod'

const MAX_ISSUES = 5

/** A request that is not of the shape its route takes. The same code, for what cannot be done, has the status 422. */
class ShapeError extends TreelineError {
  override get status(): number {
    return 400
  }
}

export function shapeError(where: string, { issues }: z.ZodError): TreelineError {
  const told = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = [where, ...path.map((part) => String(part).slice(0, 80))].join('.')
    return `${field}: ${message.slice(0, 300)}`
  })
  if (issues.length > MAX_ISSUES) told.push(`and ${issues.length - MAX_ISSUES} more`)
  return new ShapeError('validation_failed', told.join('; '))
}

/** An error as clients see it. What was not raised on purpose says nothing of its insides. */
export function toProblem(error: unknown, requestId: string): Problem {
  const known = error instanceof TreelineError ? error : new TreelineError('internal', INTERNAL, {}, { cause: error })
  const { code, status, details, message } = known
  const { opIndex, conflicts, currentVersion, tokens } = details
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
    ...(conflicts !== undefined && { conflicts: conflicts.map((conflict) => ({ ...conflict })) }),
    ...(status === 429 && { retryAfterMs: RETRY_AFTER_MS }),
  }
}

const INTERNAL = 'Something went wrong in the server. Its log says more under the request’s id.'
export const RETRY_AFTER_MS = 1_000
