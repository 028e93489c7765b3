import { homedir } from 'node:os'
import { preview, TreelineError } from '@treeline/core'
import { formats } from '@treeline/formats'
import { nearest } from '../args/nearest.ts'
import type { Context } from '../context.ts'

export interface LookedAt {
  readonly tool: string
  readonly folder: string
}

/** Where sessions are looked for, whether or not there is anything. */
export async function placesLookedAt(context: Context): Promise<readonly LookedAt[]> {
  const { paths } = await context.home()
  const places = { env: context.env, home: context.env.HOME || homedir() }
  const foreign = formats.flatMap(({ name, folders }) =>
    (folders?.(places) ?? []).map((folder): LookedAt => ({ tool: name, folder })),
  )
  const all: readonly LookedAt[] = [{ tool: 'treeline', folder: paths.sessions }, ...foreign]
  return [...new Map(all.map((place) => [place.folder, place])).values()]
}

/** Whose sessions are listed. A name that nobody has is a slip, not an empty answer; `otherwise` what else was meant. */
export function checkTool(name: string | undefined, otherwise = ''): string | undefined {
  if (name === undefined) return undefined
  const known = ['treeline', ...formats.filter(({ folders }) => folders !== undefined).map((format) => format.name)]
  if (known.includes(name)) return name
  const near = nearest(name, known)
  const hint = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`
  throw new TreelineError(
    'bad_request',
    `No tool is called ${JSON.stringify(preview(name, 40))} here. ${hint}${otherwise}`,
  )
}
