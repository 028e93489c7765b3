import { readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { TreelineError } from '@treeline/core'
import { visibleLine } from '../visible-text.ts'

const MAX_LINKS = 40
/** What Git and Treeline keep in a project: writing there can make programs run, or change what is asked about. */
const GUARDED: ReadonlySet<string> = new Set(['.git', '.treeline'])

/** The absolute path a call means. `~` is the user's home, as in a shell. */
export function resolvePath(cwd: string, path: string): string {
  if (path === '' || path.includes('\0') || !path.isWellFormed()) {
    throw new TreelineError('validation_failed', `${JSON.stringify(path)} cannot be the path of a file.`)
  }
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  return resolve(cwd, path)
}

/** A path as it is shown: relative within the project, on one line. */
export function showPath(cwd: string, absolute: string): string {
  const below = relative(cwd, absolute)
  return visibleLine(leadsDown(below) ? below || '.' : absolute)
}

/**
 * Where bytes written to a path end up: links are followed, also those that lead to nothing yet. Folders that do not
 * exist are taken as they are named.
 */
export async function findTarget(path: string): Promise<string> {
  let at = path
  for (let links = 0; links < MAX_LINKS; links++) {
    const whole = await realpath(at).catch(ignoreMissing)
    if (whole !== undefined) return whole
    const folder = await findFolder(dirname(at))
    const link = await readlink(join(folder, basename(at))).catch(ignoreMissing)
    if (link === undefined) return join(folder, basename(at))
    at = resolve(folder, link)
  }
  throw new TreelineError('validation_failed', `${visibleLine(path)} leads through too many links.`)
}

/** The real path of the deepest folder that exists, with the rest behind it. */
async function findFolder(path: string): Promise<string> {
  const rest: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const found = await realpath(at).catch(ignoreMissing)
    if (found !== undefined || dirname(at) === at) return join(found ?? at, ...rest.reverse())
    rest.push(basename(at))
  }
}

/** Whether writing to a path leaves the project, links followed, or goes to what is guarded in it. */
export async function isOutsideProject(cwd: string, path: string): Promise<boolean> {
  const project = await findTarget(cwd)
  const below = relative(project, await findTarget(path))
  return !leadsDown(below) || below.split(sep).some((part) => GUARDED.has(part.toLowerCase()))
}

/** Both as they are on disk, links followed. A folder is below itself. */
export function isBelow(folder: string, path: string): boolean {
  return leadsDown(relative(folder, path))
}

function leadsDown(below: string): boolean {
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** What is missing is an answer here; a folder that may not be searched is not. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EINVAL') return undefined
  throw error
}
