import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Home } from '../../home.ts'
import { isTempName } from '../file-mode.ts'

/** A file that was written anew and waits to take its place. */
export interface Replacement {
  readonly temp: string
  readonly path: string
  /** Keeps writers away, and others who finish the same scrub. */
  readonly lockId: string
  /** The file it was made from, and how far. What was appended since is taken along. */
  readonly identity: string
  readonly size: number
  readonly tempSize: number
}

/** What a scrub that was prepared still has to do. It holds paths and numbers, never the secret. */
export interface ScrubJournal {
  readonly replacements: readonly Replacement[]
  readonly removals: readonly string[]
  readonly sessionIds: readonly string[]
}

export function journalFile({ paths }: Pick<Home, 'paths'>, id: string): string {
  return join(paths.scrub, `${id}.json`)
}

/** From now on the scrub will be finished, whatever happens. Paths are kept relative: a home may be moved. */
export async function writeJournal(home: Home, path: string, journal: ScrubJournal): Promise<void> {
  const short = (file: string) => relative(home.paths.home, file)
  const { replacements, removals, sessionIds } = journal
  home.storage.ensureDirSync(home.paths.scrub)
  const text = JSON.stringify({
    version: 1,
    replacements: replacements.map((one) => ({ ...one, temp: short(one.temp), path: short(one.path) })),
    removals: removals.map(short),
    sessionIds,
  })
  await home.storage.writeText(path, `${text}\n`)
}

/** Nothing when the file is no journal: then nothing is done by it. */
export async function readJournal(home: Home, path: string): Promise<ScrubJournal | undefined> {
  let value: unknown
  try {
    value = JSON.parse(await home.storage.readText(path))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!isRecord(value) || value.version !== 1) return undefined
  const { replacements, removals, sessionIds } = value
  if (!Array.isArray(replacements) || !Array.isArray(removals) || !Array.isArray(sessionIds)) return undefined
  if (!replacements.every(isReplacement) || ![...removals, ...sessionIds].every(isText)) return undefined
  const full = (file: string) => resolve(home.paths.home, file)
  const files = [...replacements.flatMap(({ temp, path: to }) => [temp, to]), ...(removals as string[])]
  if (!files.every((file) => isInside(home, file)) || !replacements.every(({ temp }) => temp.endsWith('.tmp'))) {
    return undefined
  }
  if (!(removals as string[]).every(isRemovable)) return undefined
  return {
    replacements: replacements.map((one) => ({ ...one, temp: full(one.temp), path: full(one.path) })),
    removals: (removals as string[]).map(full),
    sessionIds: sessionIds as string[],
  }
}

/** No journal, whoever wrote it, reaches a file outside (K3). */
function isInside({ paths }: Home, file: string): boolean {
  const short = relative(paths.home, resolve(paths.home, file))
  return !isAbsolute(file) && short !== '' && short !== '..' && !short.startsWith(`..${sep}`)
}

/** What a scrub ever removes: blobs, caches and leftovers. No journal makes a log go. */
function isRemovable(file: string): boolean {
  return file.endsWith('.cols') || isTempName(file) || /(?:^|[/\\])blobs[/\\][a-f0-9]{64}$/.test(file)
}

function isReplacement(value: unknown): value is Replacement {
  if (!isRecord(value) || !isText(value.temp) || !isText(value.path) || !isText(value.identity)) return false
  return isText(value.lockId) && isSize(value.size) && isSize(value.tempSize)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
