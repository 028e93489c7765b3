import { join } from 'node:path'
import { findBlobReferences } from '../house/blob-references.ts'
import type { SessionStorage } from '../storage/storage.ts'
import type { BackupFile } from './backup-manifest.ts'

const REFERRING = /^(trash\/[^/]+\/)?(sessions|partial)\//

/** Blobs that files of a backup refer to and that it does not hold, each with one file that does. */
export async function findMissingBlobs(
  storage: SessionStorage,
  folder: string,
  files: readonly BackupFile[],
  options: { readonly signal?: AbortSignal | undefined; readonly onUnread: (path: string, error: unknown) => void },
): Promise<ReadonlyMap<string, string>> {
  const there = new Set(files.map(({ path }) => path))
  const missing = new Map<string, string>()
  for (const { path } of files) {
    if (!REFERRING.test(path)) continue
    try {
      for await (const hash of findBlobReferences({ storage }, join(folder, path), options.signal)) {
        if (!there.has(`blobs/${hash}`)) missing.set(hash, path)
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      options.onUnread(path, error)
    }
  }
  return missing
}
