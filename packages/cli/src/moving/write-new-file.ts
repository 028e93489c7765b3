import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Sink } from '@treeline/formats'

export interface WriteFileOptions {
  /** Also in the place of a file that is there. */
  readonly force?: boolean | undefined
  readonly signal: AbortSignal
}

export interface WrittenFile<T> {
  readonly result: T
  readonly sizeBytes: number
}

/**
 * Writes a file that is there whole or not at all, for its owner only (K5). Nobody else's is overwritten, unless it is
 * asked for.
 */
export async function writeNewFile<T>(
  path: string,
  { force = false, signal }: WriteFileOptions,
  write: (sink: Sink) => Promise<T>,
): Promise<WrittenFile<T>> {
  refuseFolder(path)
  if (!force && existsSync(path)) throw taken(path)
  const temp = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temp, 'wx', 0o600)
    let sizeBytes = 0
    let result: T
    try {
      result = await write(async (text) => {
        signal.throwIfAborted()
        const bytes = Buffer.from(text)
        sizeBytes += bytes.length
        await file.appendFile(bytes)
      })
      await file.datasync()
    } finally {
      await file.close()
    }
    place(temp, path, force)
    return { result, sizeBytes }
  } catch (error) {
    signal.throwIfAborted()
    throw explained(error, path)
  } finally {
    rmSync(temp, { force: true })
  }
}

function refuseFolder(path: string): void {
  const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder(path)) {
    throw new TreelineError(
      'bad_request',
      `${path} is a folder. Give the name of a file, such as ${join(path, 'chat.md')}.`,
    )
  }
  const folder = dirname(path)
  if (!existsSync(folder)) {
    throw new TreelineError('bad_request', `There is no folder ${folder}. Make it, or choose another place.`)
  }
}

/** A link is refused where something came meanwhile; some file systems have none. */
function place(temp: string, path: string, force: boolean): void {
  if (force) {
    renameSync(temp, path)
    return
  }
  try {
    linkSync(temp, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) throw taken(path)
    renameSync(temp, path)
  }
}

function taken(path: string): TreelineError {
  const message = `There is something at ${path} already, and it was left as it is. Choose another name, or give --force.`
  return new TreelineError('id_in_use', message)
}

function explained(error: unknown, path: string): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (error instanceof TreelineError || syscall === undefined) return error
  const refuse = (kind: 'storage_full' | 'forbidden' | 'bad_request', why: string, remedy: string) =>
    new TreelineError(kind, `${path} cannot be written: ${why} (${code}). ${remedy}.`, {}, { cause: error })
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('storage_full', 'there is no room left', 'Make room and try again')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse(
        'forbidden',
        'it is not permitted',
        `Look at the permissions of ${dirname(path)}, or choose another place`,
      )
    default:
      return refuse('bad_request', 'the system refused it', 'Choose another place')
  }
}
