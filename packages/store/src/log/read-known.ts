import type { StorageReader } from '../storage/storage.ts'
import type { LogReader } from './log-reader.ts'
import { scanFile } from './scan-file.ts'

/** A log as whoever wrote it knows it: it need not be read back to be opened. */
export interface KnownLog {
  /** Has taken everything that was written. */
  readonly reader: LogReader
  /** Of the file. */
  readonly identity: string
  /**
   * Where whoever opens it goes on, whatever others have added by then. Where that is known too, nothing of the log is
   * looked at.
   */
  readonly leafId?: string | null | undefined
}

/** By what was written and what others added since. Nothing when there is another file by now. */
export async function readKnown(file: StorageReader, { reader, identity }: KnownLog): Promise<LogReader | undefined> {
  const stat = file.statSync()
  if (stat.identity !== identity || stat.size < reader.size) return undefined
  await scanFile(file, reader, stat.size)
  return reader
}
