import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../storage-error.ts'
import type { FindingCode } from './finding.ts'

/** Modes and owners are no part of the storage port: sessions in memory have none. Nothing is opened here. */
export interface NodeMode {
  readonly path: string
  readonly kind: 'file' | 'dir' | 'link' | 'other'
  readonly mode: number
  readonly isOwn: boolean
  readonly mtimeMs: number
}

/** Undefined where nothing is on the real disk. */
export function modeOf(path: string): NodeMode | undefined {
  const stats = statUnlessGone(path)
  if (stats === undefined) return undefined
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : stats.isSymbolicLink() ? 'link' : 'other'
  const isOwn = process.getuid === undefined || stats.uid === process.getuid()
  return { path, kind, mode: stats.mode & 0o777, isOwn, mtimeMs: stats.mtimeMs }
}

function statUnlessGone(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // What should be a folder above it is none, of which whoever lists that one tells.
    if (errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Everything in a folder and below it, folders before what they hold. `onUnread` is told of folders that cannot be read. */
export function* walkModes(dir: string, onUnread: (dir: string, error: unknown) => void): Generator<NodeMode> {
  const open = [dir]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    let names: string[] = []
    try {
      names = readdirSync(at).sort()
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') onUnread(at, error)
    }
    for (const name of names) {
      const node = modeOf(join(at, name))
      if (node === undefined) continue
      yield node
      if (node.kind === 'dir') open.push(node.path)
    }
  }
}

/** What is wrong with how a file or folder of ours can be reached (K5). */
export function judgeMode({ kind, mode, isOwn }: NodeMode): FindingCode[] {
  if (kind === 'link') return ['link']
  if (kind === 'other') return ['not_a_file']
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0
  return [...(isOwn ? [] : ['other_owner' as const]), ...(isOpen ? ['open_mode' as const] : [])]
}

export const TEMP_AGE_MS = 3_600_000

/** Names that writers of ours give to what is not finished. */
export function isTempName(path: string): boolean {
  return path.endsWith('.tmp') || path.endsWith('.new')
}
