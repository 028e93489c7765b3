import type { EditRequestOp, Entry } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from './note.ts'
import type { Sample } from './sample.ts'

/** Whose sessions we know. `treeline`, `pi`, `xcsh` and `omp` are logs: one format, opened where they are. */
export type FormatName = 'treeline' | 'pi' | 'xcsh' | 'omp' | 'neovate' | 'generic' | 'comfytavern'

/** One foreign tool. A folder each, with the same file names: `detect.ts`, `folders.ts`, `read.ts`, `write.ts`, `format.ts`. */
export interface Format {
  readonly name: FormatName
  /** As its users call it. */
  readonly title: string
  /** How much a file looks like this tool's, by what is in it and never by its name: 0 not at all, 1 certainly. */
  readonly detect: (sample: Sample) => number
  /** Where the tool keeps its sessions, existing or not; none when it has no usual place. */
  readonly folders?: ((places: UsualPlaces) => readonly string[]) | undefined
  /** Files of this tool are JSON lines (`.jsonl`) or whole documents (`.json`). */
  readonly extension: '.jsonl' | '.json'
  /** Loaded when such a file is opened; missing for logs, which need no translation. */
  readonly loadReader?: (() => Promise<ReadForeign>) | undefined
}

/** Says in our words what a file holds. Never throws for that: what is unusable becomes a note. */
export type ReadForeign = (file: ForeignFile) => Translation

/** What decides where a tool's folders are. */
export interface UsualPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
}

export interface ForeignFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A foreign session in our words: what `SessionStore.create` takes. */
export interface Translation {
  /** The tool's own id of the session; the file's name without its ending where it has none. */
  readonly sessionId: string
  /**
   * What makes it this session and no other, however the file is called and whatever is added to it: the tool's own id, or
   * what it begins with, or both where ids are short.
   */
  readonly identity: readonly string[]
  /** ISO 8601; when the session began, as far as the file says. */
  readonly createdAt: string
  /** Where the conversation took place; `undefined` where the file does not say. */
  readonly cwd: string | undefined
  readonly title: string | undefined
  /**
   * In the file's order, each with the id it has there (or one derived from its place, where that is missing or not
   * unique) and the parent it has there. Whatever of the original our fields cannot say is kept in a field named for the
   * format, so that `write` can give it back.
   */
  readonly entries: readonly Entry[]
  /** Where the tool itself would go on. */
  readonly leafId: string | null
  /** Mutes, ratings, settings …: everything about the session that is no entry. */
  readonly operations: readonly EditRequestOp[]
  readonly notes: readonly FormatNote[]
}

/** What `treeline export` can write. */
export type WriterName = 'jsonl' | 'pi' | 'neovate' | 'generic' | 'comfytavern' | 'markdown' | 'json' | 'html'

/** One kind of file a session can be written as. */
export interface Writer {
  readonly name: WriterName
  readonly title: string
  readonly extension: string
  /** Gives the file to `sink`, a piece at a time, and tells what it could not say (nothing is dropped without a note). */
  readonly write: (session: Session, sink: Sink, options: WriteOptions) => Promise<readonly FormatNote[]>
}

/** Text of the file, in order. What it returns is waited for. */
export type Sink = (text: string) => void | Promise<void>

export interface WriteOptions {
  /** The end of the path to write; the session's leaf by default. */
  readonly leafId?: string | null | undefined
  /** `trunk`: only that path. `all`: every branch, where the format has branches; the default. */
  readonly branches?: 'trunk' | 'all' | undefined
  /** Replaces what looks like a secret. Best effort, and the file says so. */
  readonly redact?: boolean | undefined
}
