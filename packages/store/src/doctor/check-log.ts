import { isUtf8 } from 'node:buffer'
import { isKnownVersion, LOG_VERSION, type TreeProblem, upgradeHeader, validateHeader } from '@treeline/core'
import { withFolders } from '../blobs/foreign-blobs.ts'
import type { Home } from '../home.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { findBeside } from './beside-log.ts'
import { BlobCheck } from './blob-check.ts'
import { judgeMode, modeOf } from './file-mode.ts'
import { type Finding, type FindingCode, type FindingPlace, Findings } from './finding.ts'
import { isAllNul, previewBytes } from './preview-bytes.ts'
import { openWholeLog, type ReadingOptions, type RowReading, readRows, type WholeLog } from './whole-log.ts'

/** `unreadable`: nothing of it can be read. `notes`: all of it can, and there is something to know. */
export type Verdict = 'sound' | 'notes' | 'damaged' | 'unreadable'

export interface LogCheckOptions extends ReadingOptions {
  /** Where the blobs that another tool's log names may be, beside the home's. */
  readonly blobFolders?: readonly string[] | undefined
}

export interface LogDiagnosis {
  readonly path: string
  readonly verdict: Verdict
  /** Absent when no header can be read. */
  readonly sessionId: string | undefined
  readonly sizeBytes: number
  /** Entries that can be read. */
  readonly entryCount: number
  /** Lines of other tools, or of tools that touched them: they have no checksum to hold them to. */
  readonly uncheckedCount: number
  readonly findings: readonly Finding[]
  /** How often each code was found, also of findings that are not listed. */
  readonly counts: ReadonlyMap<FindingCode, number>
  /** Findings beyond those listed. */
  readonly unlisted: number
}

/**
 * Reads every byte of a log and every blob it names, and says what is wrong with them (I2). Opening a session checks the
 * framing only. Changes nothing; throws only when `signal` says so.
 *
 * @example
 * const { verdict, findings } = await checkLog(home, path)
 */
export async function checkLog(home: Home, path: string, options: LogCheckOptions = {}): Promise<LogDiagnosis> {
  const findings = new Findings()
  let log: WholeLog
  try {
    log = await openWholeLog(home.storage, path)
  } catch (error) {
    return unreadable(path, findings, error)
  }
  try {
    const { tree } = log.reader
    const blobs = new BlobCheck(withFolders(home.blobs, home.storage, options.blobFolders ?? []))
    let entryCount = 0
    let uncheckedCount = 0
    const noted = addFraming(log, findings)
    for await (const reading of readRows(log, options)) {
      addRow(log, reading, noted, findings)
      if (reading.entry === undefined) continue
      entryCount++
      if (reading.crc === 'none') uncheckedCount++
      const { line, offset } = placeOf(log, reading.row)
      for (const [code, hash] of await blobs.check(reading.entry)) findings.add(code, { id: hash, line, offset })
    }
    for (const problem of tree.problems()) addProblem(problem, findings)
    addSurroundings(home, path, findings)
    const isEmpty = tree.rowCount === 0 && log.reader.storedHeader === undefined
    if (isEmpty) findings.add('empty')
    const { list, counts } = findings
    return {
      path,
      verdict: isEmpty ? 'unreadable' : judge(findings),
      sessionId: log.reader.storedHeader?.id,
      sizeBytes: log.stat.size,
      entryCount,
      uncheckedCount,
      findings: list,
      counts,
      unlisted: findings.unlisted + log.reader.unlisted,
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    return unreadable(path, findings, error)
  } finally {
    log.file.closeSync()
  }
}

function judge({ worst }: Findings): Verdict {
  if (worst === 'damage') return 'damaged'
  return worst === 'note' ? 'notes' : 'sound'
}

function unreadable(path: string, findings: Findings, error: unknown): LogDiagnosis {
  const what = errnoOf(error) === 'ENOENT' ? 'There is no such log' : 'The log cannot be read'
  findings.add('cannot_read', { path, detail: storageError(error, what, path).message })
  const none = { sessionId: undefined, sizeBytes: 0, entryCount: 0, uncheckedCount: 0 }
  const { list, counts, unlisted } = findings
  return { path, verdict: 'unreadable', ...none, findings: list, counts, unlisted }
}

/** What the scan found beside the entries, and what it says of the header. Returns what its notes are about. */
function addFraming({ file, reader, stat }: WholeLog, findings: Findings): ReadonlySet<string> {
  for (const { reason, severity, offset, length, line } of reader.skipped) {
    const place = { offset, length, line }
    if (severity === 'note') findings.add(reason, place)
    else {
      const code = isAllNul(file, offset, length) ? 'nul_run' : reason
      findings.add(code, { ...place, preview: previewBytes(file, offset, length) })
    }
  }
  const noted = new Set<string>()
  for (const { code, offset, length, line } of reader.notes) {
    findings.add(code, { offset, length, line })
    noted.add(`${code} ${offset}`)
  }
  if (reader.tornAt !== undefined) {
    const [offset, length] = [reader.tornAt, stat.size - reader.tornAt]
    findings.add('torn_tail', { offset, length, preview: previewBytes(file, offset, length) })
  }
  const { storedHeader, version } = reader
  if (storedHeader === undefined) return noted
  if (!isKnownVersion(version)) findings.add('newer_version', { line: 1, detail: `version ${version}` })
  else if (version < LOG_VERSION) findings.add('older_version', { line: 1, detail: `version ${version}` })
  // As it is stored: whoever opens the log is given texts where it has none.
  const validated = validateHeader(upgradeHeader(storedHeader, reader.titleSlot))
  if (!validated.ok) findings.add('header_invalid', { line: 1, detail: validated.problems.join('; ') })
  return noted
}

function addRow(log: WholeLog, reading: RowReading, noted: ReadonlySet<string>, findings: Findings): void {
  const { bytes, error, crc, clean } = reading
  const place: FindingPlace = { id: reading.id, ...placeOf(log, reading.row) }
  if (error !== undefined) {
    const preview = previewBytes(log.file, place.offset!, place.length!)
    findings.add('unreadable_body', { ...place, detail: error.message, preview })
    return
  }
  if (!clean) findings.add('unclean_body', { ...place, preview: previewBytes(log.file, place.offset!, place.length!) })
  // Lines that the scan had to parse are in its own notes.
  if (crc === 'mismatch' && !noted.has(`crc_mismatch ${place.offset}`)) findings.add('crc_mismatch', place)
  if (!isUtf8(bytes) && !noted.has(`invalid_utf8 ${place.offset}`)) findings.add('invalid_utf8', place)
}

function placeOf({ reader: { heads } }: WholeLog, row: number): { offset: number; length: number; line: number } {
  return { offset: heads.offset[row]!, length: heads.lengthOf(row), line: heads.line[row]! }
}

function addProblem(problem: TreeProblem, findings: Findings): void {
  const { type, id } = problem
  const line = problem.type === 'duplicate_id' ? problem.lines.at(-1)! : problem.line
  const detail = detailOf(problem)
  findings.add(type, { id, line, ...(detail !== undefined && { detail }) })
}

function detailOf(problem: TreeProblem): string | undefined {
  switch (problem.type) {
    case 'duplicate_id':
      return `lines ${problem.lines.join(', ')}`
    case 'orphan':
      return `parent ${problem.parentId}`
    case 'cycle':
      return `${problem.length} entries`
    case 'edit_failed':
      return problem.reason
    default:
      return undefined
  }
}

function addSurroundings({ storage, paths }: Home, path: string, findings: Findings): void {
  if (!paths.isSessionFile(path)) return
  const mode = modeOf(path)
  for (const code of mode === undefined ? [] : judgeMode(mode)) findings.add(code, { path })
  for (const { code, severity: _, message: __, ...place } of findBeside(storage, path)) findings.add(code, place)
}
