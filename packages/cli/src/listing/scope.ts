import { resolve } from 'node:path'
import type { OptionSpecs } from '../args/command.ts'
import type { Context } from '../context.ts'
import { MOMENT_HELP, parseMoment } from './moment.ts'

/** Options by which lists, searches and sums are limited to some sessions. */
export const timeOptions = {
  since: { type: 'string', value: 'WHEN', help: `not before this: ${MOMENT_HELP}` },
  until: { type: 'string', value: 'WHEN', help: 'not after this; a day counts whole' },
} as const satisfies OptionSpecs

export interface TimeRange {
  readonly since: string | undefined
  readonly until: string | undefined
}

export function readTimeRange({ since, until }: { readonly since?: string; readonly until?: string }): TimeRange {
  return {
    since: since === undefined ? undefined : parseMoment('since', since),
    until: until === undefined ? undefined : parseMoment('until', until),
  }
}

export interface ScopeOptions {
  readonly cwd?: string
  readonly all?: boolean
}

/** The project that is meant: `--cwd DIR`, else the folder one is in unless `--all` says otherwise. */
export function projectOf({ cwd, all = false }: ScopeOptions, context: Context): string | undefined {
  if (cwd !== undefined) return resolve(context.cwd, cwd)
  return all ? undefined : context.cwd
}
