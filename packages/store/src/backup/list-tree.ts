import { join } from 'node:path'
import type { SessionStorage } from '../storage/storage.ts'

/** Told of a folder that cannot be read; without it that is an error. */
type OnUnread = (dir: string, error: unknown) => void

/** Every file below a folder. Links are not followed and not listed; nor are names that begin with a dot, unless asked for. */
export function* listTree(
  storage: SessionStorage,
  root: string,
  options: { readonly dotted?: boolean; readonly onUnread?: OnUnread } = {},
): Generator<string> {
  const { dotted = false, onUnread } = options
  const open = [root]
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    const within = dir
    let files: readonly string[] = []
    try {
      files = storage.listFilesSync(dir, '*')
      if (dotted) files = [...files, ...storage.listFilesSync(dir, '.*')]
      const dirs = storage.listDirsSync(dir).filter((name) => dotted || !name.startsWith('.'))
      open.push(...dirs.reverse().map((name) => join(within, name)))
    } catch (error) {
      if (onUnread === undefined) throw error
      onUnread(dir, error)
    }
    yield* files
  }
}
