import { dirname, join } from 'node:path'

/**
 * Where Node keeps what it makes of the built program, for all that tests start. Each has a home of its own, and would have
 * to read three megabytes of code anew, which is a fifth of what a short one costs.
 */
export function codeCacheOf(program: string): string {
  return join(dirname(program), 'code-cache')
}
