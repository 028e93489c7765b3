import { dirname } from 'node:path'
import { encodeHeader, isKnownVersion, type SessionHeader, TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { appendAudit } from '../house/audit.ts'
import { notFound, readOnlyError } from '../log/log-errors.ts'
import { newSessionId } from '../session/session-id.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { isRepairable } from './finding.ts'
import { discardTemp, keepOriginal, writeTemp } from './keep-original.ts'
import { type HeaderOrigin, repairHeader } from './repaired-header.ts'
import { repairedLines, type Survey, surveyLog } from './repaired-lines.ts'
import { isSameTree } from './same-tree.ts'
import { openWholeLog, type ReadingOptions, type WholeLog } from './whole-log.ts'

export interface RepairOptions extends ReadingOptions {
  /** Says what would be done and writes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface RepairReport {
  readonly sessionId: string
  /** The repaired log: where the damaged one was, or in the home when that belongs to another tool (I4). */
  readonly path: string
  /** Where the damaged one is now (I5). */
  readonly originalPath: string
  readonly entryCount: number
  /** Entries whose text is gone: an entry with the same id keeps their place. */
  readonly lostIds: readonly string[]
  /** Lines that repeat an entry and are left out; they stay when the tree would be another without them. */
  readonly repeatedCount: number
  /** Lines that got a new checksum, or lost the bytes glued to them. */
  readonly touchedCount: number
  /** Bytes that were no entry. */
  readonly removedBytes: number
  readonly header: HeaderOrigin
  /** True when nobody knows which project the session was of. */
  readonly isCwdUnknown: boolean
}

const MAX_TRIES = 3

/**
 * Writes a new log with every entry that can be read, and keeps the damaged one beside it as `<file>.damaged` (I5). A kill
 * at any moment leaves the one or the other in place. Refuses when there is nothing to repair.
 */
export async function repairLog(home: Home, path: string, options: RepairOptions = {}): Promise<RepairReport> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const log = await open(home, path)
    try {
      const report = await repairOnce(home, path, log, options)
      if (report !== undefined) return report
    } catch (error) {
      options.signal?.throwIfAborted()
      throw storageError(error, 'The session could not be repaired', path)
    } finally {
      log.file.closeSync()
    }
  }
  const message = `${path} was written to while it was being repaired. Close the session everywhere and try again.`
  throw new TreelineError('session_locked', message)
}

/** Nothing when the log changed meanwhile. */
async function repairOnce(
  home: Home,
  path: string,
  log: WholeLog,
  options: RepairOptions,
): Promise<RepairReport | undefined> {
  const { storage, paths, locks } = home
  if (!isKnownVersion(log.reader.version)) throw readOnlyError(path, 'newer')
  const survey = await surveyLog(log, options)
  if (survey.entryCount === 0 && log.reader.header === undefined) throw nothingLeft(path)
  if (!needsRepair(log, survey)) throw nothingToRepair(path)
  const { header: stored, origin } = repairHeader(home, path, log)
  const isOwn = paths.isSessionFile(path)
  const header = isOwn ? stored : forkHeader(stored)
  const target = isOwn ? path : paths.sessionFile(header)
  const describe = (written: Survey) => describeRepair(log, written, header, origin, target, `${path}.damaged`)
  if (options.dryRun) return { ...describe(survey), ...(!isOwn && { originalPath: path }) }
  if (!isOwn) storage.ensureDirSync(dirname(target))
  const { temp, written } = await writeRepaired(home, { path, target, header, log, survey }, options)
  const report = describe(written)
  try {
    const originalPath = isOwn ? await keepOriginal(storage, path, log.file, log.stat.size) : path
    const { entryCount: count, removedBytes: bytes } = report
    await appendAudit(home, {
      action: 'repair',
      sessionIds: [header.id],
      paths: [target, originalPath],
      count,
      bytes,
    })
    const isDone = await locks.run(stored.id, () => {
      if (isOwn && isChanged(home, path, log)) return false
      storage.renameSync(temp, target)
      return true
    })
    if (isDone) return { ...report, originalPath }
  } catch (error) {
    await discardTemp(storage, temp)
    throw error
  }
  await discardTemp(storage, temp)
  return undefined
}

interface Repair {
  readonly path: string
  readonly target: string
  readonly header: SessionHeader
  readonly log: WholeLog
  readonly survey: Survey
}

/**
 * Writes the repaired log beside its place. Where a repeated line stands can decide the order of siblings and the leaf: if
 * the tree is another without them, all that can be read are kept.
 */
async function writeRepaired(
  home: Home,
  repair: Repair,
  options: ReadingOptions,
): Promise<{ readonly temp: string; readonly written: Survey }> {
  const { path, target, log, survey } = repair
  const kept = { ...survey, repeated: survey.spoilt }
  // With entries lost the trees cannot be compared to the last detail, so nothing is left out on trust.
  for (const written of survey.lost.size > 0 ? [kept] : [survey, kept]) {
    if (!needsRepair(log, written)) throw nothingToRepair(path)
    const temp = await writeTemp(home.storage, target, wholeLog(repair, written, options))
    try {
      if (await readsTheSame(home, temp, log, written)) return { temp, written }
    } catch (error) {
      await discardTemp(home.storage, temp)
      throw error
    }
    await discardTemp(home.storage, temp)
  }
  const message = `The repaired copy of ${path} would not read as the damaged log does, so nothing was changed. Fork the session instead, and report this as a bug.`
  throw new TreelineError('internal', message)
}

async function* wholeLog({ header, log, path }: Repair, written: Survey, options: ReadingOptions) {
  yield encodeHeader(header)
  yield* repairedLines(log, path, written, options)
}

async function open(home: Home, path: string): Promise<WholeLog> {
  try {
    return await openWholeLog(home.storage, path)
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? notFound(path) : storageError(error, 'The session cannot be read', path)
  }
}

function needsRepair({ reader }: WholeLog, { lost, substitutes, repeated, touched }: Survey): boolean {
  if (reader.storedHeader === undefined || reader.tornAt !== undefined) return true
  if (lost.size + substitutes.size + repeated.size + touched + reader.unlisted > 0) return true
  return (
    reader.skipped.some(({ reason }) => isRepairable(reason)) || reader.notes.some(({ code }) => isRepairable(code))
  )
}

/** A copy of what another tool keeps is a session of its own, which says where it came from. */
function forkHeader(stored: SessionHeader): SessionHeader {
  return { ...stored, id: newSessionId(), timestamp: new Date().toISOString(), parentSession: stored.id }
}

function describeRepair(
  { reader, stat }: WholeLog,
  { entryCount, lost, repeated, touched }: Survey,
  { id, cwd }: SessionHeader,
  header: HeaderOrigin,
  path: string,
  originalPath: string,
): RepairReport {
  const { tree, skipped, tornAt } = reader
  const torn = tornAt === undefined ? 0 : stat.size - tornAt
  return {
    sessionId: id,
    path,
    originalPath,
    entryCount,
    lostIds: Array.from(lost, (row) => tree.ids.textOf(tree.refAtRow(row))),
    repeatedCount: repeated.size,
    touchedCount: touched,
    removedBytes: skipped.reduce((sum, { length }) => sum + length, torn),
    header,
    isCwdUnknown: cwd === '',
  }
}

/** Nothing is put in place that does not read as the damaged log did. */
async function readsTheSame(home: Home, temp: string, log: WholeLog, { lost }: Survey): Promise<boolean> {
  const repaired = await openWholeLog(home.storage, temp)
  try {
    const { tree } = log.reader
    const lostRefs = new Set(Array.from(lost, (row) => tree.refAtRow(row)))
    const { reader } = repaired
    const isClean = reader.skipped.length === 0 && reader.tornAt === undefined && reader.storedHeader !== undefined
    return isClean && isSameTree(tree, reader.tree, (ref) => lostRefs.has(ref), lostRefs.size > 0)
  } finally {
    repaired.file.closeSync()
  }
}

function isChanged({ storage }: Home, path: string, { stat }: WholeLog): boolean {
  const now = storage.statSync(path)
  return now.identity !== stat.identity || now.size !== stat.size || now.mtimeMs !== stat.mtimeMs
}

function nothingToRepair(path: string): TreelineError {
  return new TreelineError('bad_request', `There is nothing to repair in ${path}. It was left as it is.`)
}

function nothingLeft(path: string): TreelineError {
  const message = `${path} holds nothing that can be read: there is no entry to save. Restore it from a backup.`
  return new TreelineError('damaged', message)
}
