import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `<agent>/sessions/<project>/<file>`, and one more for a session's own folder of subagents. */
const MAX_LEVELS = 4

/**
 * Where the images that a foreign log names may be: folders `blobs`, or `agent/blobs`, beside the folders the file is in,
 * nearest first.
 */
export function findBlobFolders(path: string): string[] {
  const found = new Set<string>()
  let dir = dirname(path)
  for (let level = 0; level < MAX_LEVELS; level++) {
    for (const folder of [join(dir, 'blobs'), join(dir, 'agent', 'blobs')]) if (isFolder(folder)) found.add(folder)
    const above = dirname(dir)
    if (above === dir) break
    dir = above
  }
  return [...found]
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Not there, or not for us to see: there are no blobs for us in it.
    return false
  }
}
