import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAX_PATH_CHARS = 4_096
const MAX_BYTES = 20 * 1024 * 1024
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

/**
 * The path of an image that a terminal types when a file is dropped on it: in quotes, with backslashes before blanks, or as
 * a `file://` address. `undefined` for any other text.
 */
export function findImagePath(pasted: string, cwd: string): string | undefined {
  const text = pasted.trim()
  if (text === '' || text.length > MAX_PATH_CHARS || /[\0\n\r]/.test(text)) return undefined
  const path = unquote(text)
  if (path === undefined || !IMAGE_NAME.test(path)) return undefined
  if (path.startsWith('~/')) return join(homedir(), path.slice(2))
  return isAbsolute(path) ? path : resolve(cwd, path)
}

function unquote(text: string): string | undefined {
  if (text.startsWith('file://')) {
    try {
      return fileURLToPath(text)
    } catch {
      // An address of another machine, or none at all: it is text.
      return undefined
    }
  }
  const [, , quoted] = /^(['"])(.*)\1$/.exec(text) ?? []
  if (quoted !== undefined) return quoted
  // Words of a sentence are no path; a dropped one has its blanks escaped.
  if (process.platform === 'win32') return text
  return /(?<!\\)\s/.test(text) ? undefined : text.replace(/\\(.)/g, '$1')
}

/** `undefined` where there is no such file, or none that could be an image. */
export async function readImageFile(path: string): Promise<Uint8Array | undefined> {
  try {
    // Without O_NONBLOCK a pipe nobody writes to would hold us here.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile() || found.size === 0 || found.size > MAX_BYTES) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0)
    return buffer.subarray(0, bytesRead)
  } catch {
    // Not there or not readable: what was pasted is text then.
    return undefined
  }
}
