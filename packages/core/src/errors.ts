/** Every error Treeline raises on purpose carries one of these codes; the table says what it means to HTTP and to a shell. */
const CODES = {
  bad_request: { status: 400, exit: 2 },
  validation_failed: { status: 422, exit: 2 },
  unauthorized: { status: 401, exit: 5 },
  forbidden: { status: 403, exit: 5 },
  linear_mode: { status: 403, exit: 5 },
  session_not_found: { status: 404, exit: 3 },
  node_not_found: { status: 404, exit: 3 },
  generation_not_found: { status: 404, exit: 3 },
  fragment_not_found: { status: 404, exit: 3 },
  approval_not_found: { status: 404, exit: 3 },
  blob_not_found: { status: 404, exit: 3 },
  token_not_found: { status: 404, exit: 3 },
  stale_version: { status: 409, exit: 4 },
  stale_node: { status: 409, exit: 4 },
  nothing_to_undo: { status: 409, exit: 4 },
  id_in_use: { status: 409, exit: 4 },
  ambiguous_id: { status: 409, exit: 4 },
  node_detached: { status: 409, exit: 4 },
  parent_generating: { status: 409, exit: 4 },
  subtree_generating: { status: 409, exit: 4 },
  generation_finished: { status: 409, exit: 4 },
  session_locked: { status: 409, exit: 4 },
  cursor_expired: { status: 410, exit: 4 },
  payload_too_large: { status: 413, exit: 2 },
  unsupported_media_type: { status: 415, exit: 2 },
  cycle: { status: 422, exit: 2 },
  fragment_not_linear: { status: 422, exit: 2 },
  invalid_entry: { status: 422, exit: 2 },
  invalid_header: { status: 422, exit: 6 },
  context_overflow: { status: 422, exit: 2 },
  invalid_role_sequence: { status: 422, exit: 2 },
  too_many_generations: { status: 429, exit: 7 },
  rate_limited: { status: 429, exit: 7 },
  damaged: { status: 500, exit: 6 },
  internal: { status: 500, exit: 1 },
  provider_error: { status: 502, exit: 7 },
  storage_full: { status: 507, exit: 8 },
} as const satisfies Record<string, { status: number; exit: number }>

export type ErrorCode = keyof typeof CODES

/** By status, for whoever writes down what can be answered. */
export const ERROR_CODES = Object.entries(CODES).map(([code, { status }]) => ({ code: code as ErrorCode, status }))

/** What an error is about, so that a program can act on it without reading the message. */
export interface ErrorDetails {
  readonly nodeIds?: readonly string[]
  /** Which operation of a batch failed. */
  readonly opIndex?: number
  /** 1-based line of the log. */
  readonly line?: number
  readonly offset?: number
  readonly conflicts?: readonly { readonly nodeId: string; readonly version: number; readonly reason: string }[]
  /** Of the session when it was refused, for whoever looks again. */
  readonly currentVersion?: number
  /** About how many tokens it would have been, where that is too many. */
  readonly tokens?: number
}

/** The one error class. The message says what happened, to which thing, and what to do. */
export class TreelineError extends Error {
  override readonly name = 'TreelineError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }

  get status(): number {
    return CODES[this.code].status
  }

  get exitCode(): number {
    return CODES[this.code].exit
  }
}

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(CODES, value)
}

/** Ends a `switch` over a closed union: the compiler proves it unreachable. */
export function assertNever(value: never): never {
  throw new TreelineError('internal', `Unexpected value: ${JSON.stringify(value)}. This is a bug in Treeline.`)
}
