import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { isSafeId } from '@treeline/core'
import { hashOf } from '../../blobs/blob-ref.ts'
import type { Home } from '../../home.ts'
import { columnsKey } from '../../log/columns-key.ts'
import { readListedId } from '../../session/summary.ts'
import type { StorageReader } from '../../storage/storage.ts'
import { errnoOf, storageError } from '../../storage-error.ts'
import { discardTemp, writeBeside, writeTemp } from '../keep-original.ts'
import { scrubBlob, textOfBlob } from './scrub-blob.ts'
import type { Replacement } from './scrub-journal.ts'
import { cannotScrub } from './scrub-plan.ts'
import { readWholeFile, scrubStream } from './scrub-stream.ts'
import { listScrubbedFiles, type ScrubbedFile } from './scrubbed-files.ts'
import type { SecretPattern } from './secret-pattern.ts'
import { type RenamedBlob, TextEdit } from './text-edit.ts'

/** Up to here from its end the last line of a log is looked for; a longer one is taken as it is. */
const MAX_TAIL_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const LINE_END = 0x0a
/** Of files that belong to no session. */
const COMMON_LOCK = 'scrub'
/** As `appendAudit` has it. */
const AUDIT_LOCK = 'audit'

/** New files, whole and synced, none of them in its place yet; and what will be in nobody's way once they are. */
export class PreparedScrub {
  readonly replacements: Replacement[] = []
  readonly removals: string[] = []
  readonly sessionIds = new Set<string>()
  readonly renamed = new Map<string, RenamedBlob>()
  readonly edit: TextEdit
  private readonly home: Home

  constructor(home: Home, pattern: SecretPattern) {
    this.home = home
    this.edit = new TextEdit(pattern, this.renamed)
  }

  /** Blobs first: the lines that name them have to know their new names. */
  async prepare(signal?: AbortSignal): Promise<void> {
    const files = [...listScrubbedFiles(this.home, refuseUnread)]
    for (const file of files) if (file.kind === 'blob') await this.prepareBlob(file)
    for (const file of files) if (file.kind !== 'blob') await this.prepareFile(file, signal)
    // A journal must not outlive the files it speaks of.
    for (const dir of new Set(this.replacements.map(({ temp }) => dirname(temp)))) await this.home.storage.syncDir(dir)
  }

  async discard(): Promise<void> {
    for (const { temp } of this.replacements) await discardTemp(this.home.storage, temp)
  }

  /** The new blob is put beside the old one, which goes last. One in the trash gets its new name there. */
  private async prepareBlob({ path }: ScrubbedFile): Promise<void> {
    const { storage, paths, blobs } = this.home
    const { pattern } = this.edit
    const bytes = await unlessGone(() => readWholeFile(storage, path))
    const scrubbed = bytes && scrubBlob(bytes, pattern)
    if (scrubbed === undefined) return
    const isOwn = dirname(path) === paths.blobs
    const hash = isOwn ? hashOf(await blobs.put(scrubbed)) : createHash('sha256').update(scrubbed).digest('hex')
    const place = join(dirname(path), hash)
    // Named at once: a scrubbed blob that nothing refers to yet does no harm.
    if (!isOwn && !storage.existsSync(place)) await writeBeside(storage, place, [scrubbed])
    this.removals.push(path)
    this.renamed.set(basename(path), { hash, readTexts: () => readTexts(this.home, path, pattern) })
  }

  private async prepareFile({ path, kind }: ScrubbedFile, signal?: AbortSignal): Promise<void> {
    const { storage, paths } = this.home
    if (kind === 'busy') return
    const file = await unlessGone(async () => storage.openReader(path))
    if (file === undefined) return
    try {
      const { size, identity } = file.statSync()
      if (!(await isConcerned(file, size, this.edit, signal))) return
      if (kind === 'columns' || kind === 'old_temp') {
        this.removals.push(path)
        return
      }
      // A last line without its end may be going on: it is left for the moment of the rename.
      const end = kind === 'log' ? lastLineEnd(file, size) : size
      const temp = await writeTemp(storage, path, scrubbedLines(path, file, end, this.edit, signal))
      const id = kind === 'log' ? (readListedId(storage, path) ?? '') : COMMON_LOCK
      const lockId = path === paths.auditFile ? AUDIT_LOCK : id
      this.replacements.push({ temp, path, identity, size: end, tempSize: storage.statSync(temp).size, lockId })
      if (kind !== 'log') return
      if (isSafeId(lockId)) this.sessionIds.add(lockId)
      this.removals.push(paths.columnsFile(columnsKey(paths, path)))
    } finally {
      file.closeSync()
    }
  }
}

/** A scrub that leaves out a folder would leave lines that name blobs which are gone. */
function refuseUnread(dir: string, error: unknown): never {
  throw storageError(error, 'A folder cannot be read, so nothing was removed', dir)
}

async function isConcerned(file: StorageReader, size: number, edit: TextEdit, signal?: AbortSignal): Promise<boolean> {
  for await (const { scrubbed } of scrubStream(file, size, edit, signal)) if (scrubbed?.isChanged) return true
  return false
}

/** Looked at again: since the plan was made, lines may have come that cannot be scrubbed. */
async function* scrubbedLines(path: string, file: StorageReader, end: number, edit: TextEdit, signal?: AbortSignal) {
  for await (const { bytes, number, scrubbed } of scrubStream(file, end, edit, signal)) {
    if (scrubbed?.refusal !== undefined) throw cannotScrub([{ path, line: number, reason: scrubbed.refusal }])
    yield bytes
  }
}

/** Both at once are needed only where a text was cut and may have been cut through the secret. */
function readTexts({ storage }: Home, path: string, pattern: SecretPattern): ReturnType<RenamedBlob['readTexts']> {
  const file = storage.openReader(path)
  try {
    const bytes = Buffer.alloc(file.statSync().size)
    const before = textOfBlob(bytes.subarray(0, file.readSync(bytes, 0)))
    return before === undefined ? undefined : { before, after: pattern.replaceIn(before) }
  } finally {
    file.closeSync()
  }
}

function lastLineEnd(file: StorageReader, size: number): number {
  for (let end = size; end > 0 && size - end < MAX_TAIL_BYTES; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end))
    const at = chunk.subarray(0, file.readSync(chunk, end - chunk.length)).lastIndexOf(LINE_END)
    if (at >= 0) return end - chunk.length + at + 1
    end -= chunk.length
  }
  return size
}

async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
