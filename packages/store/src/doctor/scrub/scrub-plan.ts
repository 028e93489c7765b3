import { basename } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../../home.ts'
import { idInName } from '../../log-files.ts'
import { storageError } from '../../storage-error.ts'
import { scrubBlob } from './scrub-blob.ts'
import { countInHistory } from './scrub-history.ts'
import { MAX_ACROSS_BYTES, readWholeFile, scrubStream } from './scrub-stream.ts'
import { areaOf, listScrubbedFiles, type ScrubbedFile } from './scrubbed-files.ts'
import { type SecretPattern, secretPattern } from './secret-pattern.ts'
import { TextEdit } from './text-edit.ts'

export interface ScrubOptions {
  /** Also a secret of fewer than six characters. */
  readonly force?: boolean | undefined
  readonly onProgress?: ((bytesDone: number, bytesTotal: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** A file that holds the secret. */
export interface ScrubPlace {
  readonly path: string
  /** `sessions`, `blobs`, `trash`, `partial`, `index`, `terminal-sessions`, or `home` for a file of its own. */
  readonly area: string
  readonly sessionId: string | undefined
  /** Lines that hold it; 1 for a blob. */
  readonly count: number
  /** The first thousand of them. */
  readonly lines: readonly { readonly line: number; readonly entryIds: readonly string[] }[]
}

export interface ScrubPlan {
  readonly places: readonly ScrubPlace[]
  readonly historyCount: number
  /** Why it cannot be done as things are. */
  readonly refusals: readonly { readonly path: string; readonly line: number; readonly reason: string }[]
  /** Where a scrub does not reach, so that nobody believes it did. */
  readonly notReached: readonly string[]
  /** Nothing was found. The index is still thrown away by a scrub: it may know of lines that are gone. */
  readonly isEmpty: boolean
}

export interface KnownSecret {
  readonly secret: string
  readonly pattern: SecretPattern
}

/** A plan is shown and written down; the secret is not part of it. */
const secrets = new WeakMap<ScrubPlan, KnownSecret>()
const MAX_LISTED_LINES = 1000
const OUT_OF_REACH = [
  'Backups and copies made elsewhere.',
  'Sessions of other tools, outside of the home.',
  'The memory of programs that run: what is not yet written, and prompts in other windows.',
  'Other forms: base64, compressed or encrypted data, pictures of it, other capitals, or split over several texts.',
  'Blocks that the file system or the disk has given up but not yet overwritten.',
]

/**
 * Where a secret is, without changing anything: in logs by line and entry, blobs, originals kept by repairs, the trash,
 * partial answers, saved columns, breadcrumbs and the history. Found in every spelling JSON has for it.
 */
export async function planScrub(home: Home, secret: string, options: ScrubOptions = {}): Promise<ScrubPlan> {
  const pattern = secretPattern(secret, { force: options.force ?? false })
  const edit = new TextEdit(pattern)
  const notReached = [...OUT_OF_REACH]
  const places: ScrubPlace[] = []
  const refusals: ScrubPlan['refusals'][number][] = []
  const unread = (dir: string) => notReached.push(`The folder ${dir}, which cannot be read.`)
  const files = [...listScrubbedFiles(home, unread)]
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const file of files) {
    options.signal?.throwIfAborted()
    if (pattern.spansLines && file.size > MAX_ACROSS_BYTES && file.kind !== 'blob') {
      notReached.push(`Text over several lines in ${file.path} where it is no JSON: the file is too large for that.`)
    }
    if (pattern.isIn(file.path)) notReached.push('The name of a file or folder, which holds it. Rename that by hand.')
    try {
      const found =
        file.kind === 'blob' ? await lookAtBlob(home, file, edit) : await lookAtLines(home, file, edit, options)
      if (found?.place !== undefined) {
        if (file.kind === 'busy') notReached.push(`${file.path}, which is being written just now.`)
        else places.push(found.place)
      }
      refusals.push(...(found?.refusals ?? []))
      notReached.push(...(found?.notReached ?? []))
    } catch (error) {
      options.signal?.throwIfAborted()
      notReached.push(storageError(error, 'A file cannot be read', file.path).message)
    }
    done += file.size
    options.onProgress?.(done, total)
  }
  const historyCount = await countInHistory(home, pattern)
  const isEmpty = places.length === 0 && historyCount === 0
  const plan: ScrubPlan = { places, historyCount, refusals, notReached: [...new Set(notReached)], isEmpty }
  secrets.set(plan, { secret, pattern })
  return plan
}

export function cannotScrub([first, ...others]: ScrubPlan['refusals']): TreelineError {
  const { path, line, reason } = first!
  const more = others.length === 0 ? '' : ` So it is in ${others.length} more lines.`
  const message = `Line ${line} of ${path} cannot be scrubbed: ${reason}.${more} Nothing was changed. Move the session to the trash and purge it, or give more of the secret.`
  return new TreelineError('forbidden', message, { line })
}

export function secretOf(plan: ScrubPlan): KnownSecret {
  const known = secrets.get(plan)
  if (known !== undefined) return known
  throw new TreelineError('bad_request', 'This is no plan that was made here just now. Plan the scrub again.')
}

interface Found {
  readonly place: ScrubPlace | undefined
  readonly refusals?: ScrubPlan['refusals']
  readonly notReached?: readonly string[]
}

async function lookAtBlob(home: Home, { path }: ScrubbedFile, edit: TextEdit): Promise<Found | undefined> {
  if (scrubBlob(await readWholeFile(home.storage, path), edit.pattern) === undefined) return undefined
  return { place: { path, area: areaOf(home, path), sessionId: undefined, count: 1, lines: [] } }
}

async function lookAtLines(
  home: Home,
  file: ScrubbedFile,
  edit: TextEdit,
  { signal }: ScrubOptions,
): Promise<Found | undefined> {
  const { path } = file
  const lines: ScrubPlace['lines'][number][] = []
  const refusals: ScrubPlan['refusals'][number][] = []
  const notReached: string[] = []
  let count = 0
  const reader = home.storage.openReader(path)
  try {
    for await (const { number, scrubbed, isTooLong } of scrubStream(reader, file.size, edit, signal)) {
      if (isTooLong) notReached.push(`Line ${number} of ${path}, which is too long to be read.`)
      if (scrubbed === undefined) continue
      if (scrubbed.isLeft) notReached.push(`A number in line ${number} of ${path}, of which it is a part.`)
      if (!scrubbed.isChanged) continue
      if (scrubbed.refusal !== undefined) refusals.push({ path, line: number, reason: scrubbed.refusal })
      count++
      if (lines.length < MAX_LISTED_LINES) lines.push({ line: number, entryIds: scrubbed.entryIds })
    }
  } finally {
    reader.closeSync()
  }
  const sessionId = basename(path).includes('.jsonl') ? idInName(path).replace(/\.jsonl.*$/, '') : undefined
  const place = { path, area: areaOf(home, path), sessionId, count, lines }
  return { place: count === 0 ? undefined : place, refusals, notReached }
}
