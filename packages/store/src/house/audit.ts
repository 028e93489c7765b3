import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Home } from '../home.ts'
import { writeWhole } from '../log/write-whole.ts'
import type { SessionStorageWriter, StorageReader } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'

export type AuditAction = 'trash' | 'restore' | 'purge' | 'repair' | 'scrub' | 'backup' | 'gc'

const ACTIONS: ReadonlySet<unknown> = new Set<AuditAction>([
  'trash',
  'restore',
  'purge',
  'repair',
  'scrub',
  'backup',
  'gc',
])

/** What was done. There is no field for what anyone said, nor for a secret: names, paths and numbers only. */
export interface AuditEvent {
  readonly action: AuditAction
  readonly sessionIds?: readonly string[] | undefined
  readonly trashId?: string | undefined
  readonly paths?: readonly string[] | undefined
  readonly count?: number | undefined
  readonly bytes?: number | undefined
  /** The rule it happened by, e.g. `retention`. */
  readonly reason?: string | undefined
}

export interface AuditRecord extends AuditEvent {
  /** ISO 8601. */
  readonly time: string
  /** The account, and the process. */
  readonly by: string
}

export type AuditedHome = Pick<Home, 'storage' | 'locks' | 'paths'>

const LOCK = 'audit'
const LINE_END = 0x0a
const CHUNK_BYTES = 512 * 1024
/** Lines longer than this are not ours. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Durable when it resolves. To be written before what cannot be taken back, so that nothing goes silently (R1). */
export async function appendAudit(home: AuditedHome, event: AuditEvent): Promise<void> {
  const { storage, locks, paths } = home
  const record: AuditRecord = { time: new Date().toISOString(), ...event, by: whoami() }
  const line = `${JSON.stringify(record)}\n`
  let file: SessionStorageWriter | undefined
  try {
    // Opened under the lock: a scrub puts another file in its place, and a line in the old one would be lost.
    await locks.run(LOCK, () => {
      file = storage.openWriter(paths.auditFile, { flags: 'a' })
      appendLine(file, line)
    })
    await (file as SessionStorageWriter | undefined)?.datasync()
    await storage.syncDir(dirname(paths.auditFile))
  } catch (error) {
    throw storageError(error, 'The audit line could not be written, so nothing was done', paths.auditFile)
  } finally {
    file?.closeSync()
  }
}

/** Newest first, 100 by default. Lines that are torn or no records are passed over. */
export async function readAudit(
  { storage, paths }: Pick<Home, 'storage' | 'paths'>,
  { limit = 100 }: { readonly limit?: number | undefined } = {},
): Promise<readonly AuditRecord[]> {
  let file: StorageReader | undefined
  try {
    file = storage.openReader(paths.auditFile)
    const records: AuditRecord[] = []
    for await (const line of linesBackwards(file)) {
      if (records.length >= limit) break
      const record = parseRecord(line)
      if (record !== undefined) records.push(record)
    }
    return records
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw storageError(error, 'The audit log cannot be read', paths.auditFile)
  } finally {
    file?.closeSync()
  }
}

/** Under the lock: behind a line that a killed process left unfinished, a new one begins. */
function appendLine(file: SessionStorageWriter, line: string): void {
  const { size } = file.statSync()
  const last = new Uint8Array(1)
  const isTorn = size > 0 && file.readSync(last, size - 1) === 1 && last[0] !== LINE_END
  writeWhole(file, Buffer.from(isTorn ? `\n${line}` : line), size)
}

async function* linesBackwards(file: StorageReader): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = file.statSync().size; end > 0; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end))
    end -= chunk.length
    const length = await file.read(chunk, end)
    const joined = Buffer.concat([chunk.subarray(0, length), rest])
    const first = end === 0 ? -1 : joined.indexOf(LINE_END)
    // The beginning of the first line is in the chunk before.
    const whole = end === 0 || first >= 0 ? joined.subarray(first + 1) : undefined
    if (whole !== undefined) yield* whole.toString().split('\n').reverse()
    rest = whole === undefined ? joined : joined.subarray(0, first + 1)
    if (rest.length > MAX_LINE_BYTES) rest = Buffer.alloc(0)
  }
}

function parseRecord(line: string): AuditRecord | undefined {
  if (line === '') return undefined
  try {
    return pickRecord(JSON.parse(line))
  } catch {
    // Torn by a kill or damaged by the disk; the others stand for themselves.
    return undefined
  }
}

function pickRecord(value: unknown): AuditRecord | undefined {
  const { time, action, by, ...found } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof time !== 'string' || !ACTIONS.has(action)) return undefined
  return {
    time,
    action: action as AuditAction,
    sessionIds: asTexts(found.sessionIds),
    trashId: asText(found.trashId),
    paths: asTexts(found.paths),
    count: asNumber(found.count),
    bytes: asNumber(found.bytes),
    reason: asText(found.reason),
    by: asText(by) ?? '',
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function whoami(): string {
  try {
    return `${userInfo().username}, process ${process.pid}`
  } catch {
    // An account without a name, as in some containers.
    return `user ${process.getuid?.() ?? '?'}, process ${process.pid}`
  }
}
