import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { findTarget } from './paths.ts'

const MODE_BITS = 0o7777

/** A file as it was at one moment. */
export interface SeenFile {
  /** Where the path led, links followed. */
  readonly target: string
  /** `undefined` when there was none. */
  readonly stat: Stats | undefined
}

export async function lookAt(path: string): Promise<SeenFile> {
  const target = await findTarget(path)
  return { target, stat: await statIfThere(target) }
}

/**
 * Writes a file whole or not at all: whoever reads it meanwhile sees the old one or the new one. Folders are made, links
 * written through, mode and owner of an existing file kept. `expected` is what it was when it was looked at: if it has
 * changed since, or the path leads elsewhere, nothing is written.
 */
export async function writeFile(path: string, bytes: Uint8Array, shown: string, expected?: SeenFile): Promise<void> {
  const { target, stat: found } = await lookAt(path)
  if (expected !== undefined && expected.target !== target) throw changedMeanwhile(shown)
  if (found?.isDirectory()) throw new TreelineError('bad_request', `${shown} is a folder.`)
  if (found !== undefined && !found.isFile()) {
    throw new TreelineError('bad_request', `${shown} is no regular file and is not written to.`)
  }
  // A rename would succeed without this.
  if (found !== undefined) await access(target, constants.W_OK)
  await mkdir(dirname(target), { recursive: true })
  // Not by the file's own name, which may be as long as a name can be.
  const temp = join(dirname(target), `.treeline-${randomBytes(6).toString('hex')}.tmp`)
  try {
    await fill(temp, bytes, found)
    if (expected !== undefined && isChanged(expected.stat, await statIfThere(target))) throw changedMeanwhile(shown)
    await rename(temp, target)
  } catch (error) {
    // What failed first is what the caller hears.
    await unlink(temp).catch(() => {})
    throw error
  }
}

async function fill(temp: string, bytes: Uint8Array, like: Stats | undefined): Promise<void> {
  await using file = await open(temp, 'wx', like === undefined ? 0o666 : 0o600)
  await file.writeFile(bytes)
  if (like !== undefined) {
    const own = await file.stat()
    // Only root can give files away; for anyone else the new file is their own.
    if (own.uid !== like.uid || own.gid !== like.gid) await file.chown(like.uid, like.gid).catch(() => {})
    await file.chmod(like.mode & MODE_BITS)
  }
  await file.sync()
}

function isChanged(expected: Stats | undefined, found: Stats | undefined): boolean {
  if (expected === undefined || found === undefined) return expected !== found
  return found.ino !== expected.ino || found.size !== expected.size || found.mtimeMs !== expected.mtimeMs
}

function changedMeanwhile(shown: string): TreelineError {
  return new TreelineError('bad_request', `${shown} was changed by somebody else meanwhile. Read it again.`)
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
