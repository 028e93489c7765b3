/**
 * Every file-system operation of the store goes through this port (S33), so that any of them can be made to fail, lose
 * its data in a crash, or happen in memory. Paths are absolute. Errors are Node's own, with `code` (`ENOENT`, `ENOSPC` …).
 *
 * Methods that end in `Sync` block; they are used where a call costs microseconds and a thread hop would cost more.
 */
export interface SessionStorage {
  /** Creates a folder and those above it, mode 0700, and makes them durable. An existing one is left as it is. */
  ensureDirSync(dir: string): void
  existsSync(path: string): boolean
  /** Replaces a file's text at once: temp, sync, rename, folder sync. Mode 0600. */
  writeTextSync(path: string, text: string): void
  /** Follows no link. Throws ENOENT when there is no such file. */
  statSync(path: string): FileStat
  /** Absolute paths of the files in a folder whose names match, e.g. `*.jsonl`; none when the folder is missing. */
  listFilesSync(dir: string, pattern: string): string[]
  /** Names of the folders in a folder; none when it is missing. */
  listDirsSync(dir: string): string[]

  exists(path: string): Promise<boolean>
  readText(path: string): Promise<string>
  /** At most the first `bytes` bytes, cut at a whole character. */
  readTextPrefix(path: string, bytes: number): Promise<string>
  /** As `writeTextSync`. */
  writeText(path: string, text: string): Promise<void>
  /** Atomic on one file system; makes the folder durable. */
  rename(from: string, to: string): Promise<void>
  renameSync(from: string, to: string): void
  unlink(path: string): Promise<void>
  /** Removes an empty folder; throws ENOTEMPTY for any other. */
  removeDir(dir: string): Promise<void>
  /** Sets a file's time of last change to now. Follows no link; throws ENOENT. */
  touch(path: string): Promise<void>
  /**
   * Opens a file for writing: `a` appends to an existing or new one, `w` replaces, `wx` creates and fails with EEXIST;
   * `ra` appends and `r+` writes from the first byte on, both to an existing one, and fail with ENOENT.
   * Mode 0600 whatever the umask, no link followed (ELOOP). A new file's folder entry is durable only after `syncDir`.
   */
  openWriter(path: string, options: WriterOptions): SessionStorageWriter
  /** Opens a file for reading, no link followed. */
  openReader(path: string): StorageReader
  /** Makes creations, renames and removals in a folder durable. */
  syncDir(dir: string): Promise<void>
  syncDirSync(dir: string): void
  /** Calls back, some time after, when the file may have changed. Only a hint: it may come late, twice or never. */
  watch(path: string, onChange: () => void): () => void
}

export interface WriterOptions {
  readonly flags: 'a' | 'ra' | 'w' | 'wx' | 'r+'
  /** Told of the first error, once. */
  readonly onError?: (error: Error) => void
}

export interface FileStat {
  readonly size: number
  readonly mtimeMs: number
  readonly mtime: Date
  /** Device and inode as one text: a file replaced underneath has another identity. */
  readonly identity: string
}

export interface StorageReader {
  statSync(): FileStat
  /** Fills `into` from `position` on as far as the file goes and returns how many bytes that were. */
  readSync(into: Uint8Array, position: number): number
  read(into: Uint8Array, position: number): Promise<number>
  /** Makes what anyone wrote to this file durable. */
  datasync(): Promise<void>
  datasyncSync(): void
  closeSync(): void
}

/** An open file that is written to. Reads what it wrote and what others did. */
export interface SessionStorageWriter extends StorageReader {
  /** Appends the text and a line end, as a whole. */
  writeLine(line: string): Promise<void>
  /** One write(2) at the end of the file, or with `r+` behind what was written last. May be short, as write(2) may. */
  writeSync(bytes: Uint8Array): number
  /** The same for several pieces, in another thread. They must stay as they are, and nothing else be written meanwhile. */
  write(pieces: readonly Uint8Array[]): Promise<number>
  /** Cuts the file. The log uses it for one thing only: bytes of its own write that came out short. */
  truncateSync(size: number): void
  /** Resolves when everything handed over so far has been written; durable only after `fsync`. */
  flush(): Promise<void>
  fsync(): Promise<void>
  close(): Promise<void>
  /** The first error of this writer, which stays. */
  getError(): Error | undefined
}
