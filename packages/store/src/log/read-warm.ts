import { attachedLeaf } from '@treeline/core'
import type { StorageReader } from '../storage/storage.ts'
import type { ColumnsFile } from './columns-file.ts'
import type { LogReader } from './log-reader.ts'
import { scanFile } from './scan-file.ts'

/** By the saved columns and what came since. Nothing when they are not there, or turn out not to be good. */
export async function readWarm(file: StorageReader, columns: ColumnsFile): Promise<LogReader | undefined> {
  try {
    const reader = columns.restore(file)
    if (reader === undefined) return undefined
    await scanFile(file, reader)
    const { tree } = reader
    // What every session looks at first.
    tree.ids.textOf(attachedLeaf(tree))
    if (!tree.needsRescan) return reader
  } catch {
    // The log says everything the columns say.
  }
  columns.close()
  return undefined
}
