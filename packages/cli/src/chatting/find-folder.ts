import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Context } from '../context.ts'

/** The project of a chat: the folder that `--cwd` names, or the current one. */
export function findFolder({ cwd }: Context, given: string | undefined): string {
  if (given === undefined) return cwd
  const folder = resolve(cwd, given)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new TreelineError('bad_request', `There is no folder ${folder}. --cwd names the project's folder.`)
}
