import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { decodeLog, migrateLog, type SessionHeader, TreelineError } from '@treeline/core'
import { upgradeRecord } from '../session/upgrade-record.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { replacedError } from './log-errors.ts'
import type { LogReader } from './log-reader.ts'

/** Old files are small: the tools that wrote them read them whole as well. */
const MAX_MIGRATED_BYTES = 512 * 1024 * 1024
const LINE_END = Buffer.from('\n')

/**
 * Rewrites a log of version 1 or 2 as version 3, with the ids it was read with. A kill at any moment leaves either the
 * old file or the new one in place; the old one is kept beside it as `<file>.v1` or `.v2`.
 */
export function migrateFile(storage: SessionStorage, path: string, file: StorageReader, reader: LogReader): void {
  const { size } = file.statSync()
  if (size > MAX_MIGRATED_BYTES) {
    throw new TreelineError('payload_too_large', `${path} is too large to be migrated in place. Fork it instead.`)
  }
  const original = new Uint8Array(size)
  file.readSync(original, 0)
  const migrated = migrateLines(original, reader)
  keepOriginal(storage, `${path}.v${reader.version}`, original)
  replaceFile(storage, path, migrated, () => {
    // A program that knows no lock wrote to it meanwhile: its lines would be neither here nor there.
    if (file.statSync().size !== size || storage.statSync(path).identity !== file.statSync().identity)
      throw replacedError(path)
  })
}

/**
 * What an upgrade leaves as it is keeps its own bytes. The header gets no checksum, by which a log of ours is told: it stays
 * that of the tool that began it.
 */
function migrateLines(original: Uint8Array, { storedHeader, titleSlot }: LogReader): Uint8Array {
  const decoded = decodeLog(original)
  const records = decoded.records.filter(({ value }) => value.type !== 'session')
  const values = records.map(({ value }) => value)
  const { header, entries } = migrateLog(storedHeader as SessionHeader, values, titleSlot)
  const lines = records.map(({ value, offset, length }, i) =>
    upgradeRecord(original.subarray(offset, offset + length), value, entries[i]!),
  )
  const { offset = 0, length = 0 } = decoded.titleSlot ?? {}
  const slot = decoded.titleSlot === undefined ? [] : [original.subarray(offset, offset + length), LINE_END]
  return Buffer.concat([...slot, Buffer.from(JSON.stringify(header)), LINE_END, ...lines])
}

/** An earlier attempt may have kept it already. */
function keepOriginal(storage: SessionStorage, path: string, original: Uint8Array): void {
  let free = path
  for (let n = 2; storage.existsSync(free); n++) {
    if (holds(storage, free, original)) {
      storage.syncDirSync(dirname(free))
      return
    }
    free = `${path}.${n}`
  }
  replaceFile(storage, free, original)
}

function holds(storage: SessionStorage, path: string, bytes: Uint8Array): boolean {
  const file = storage.openReader(path)
  try {
    if (file.statSync().size !== bytes.length) return false
    const found = new Uint8Array(bytes.length)
    file.readSync(found, 0)
    return Buffer.compare(found, bytes) === 0
  } finally {
    file.closeSync()
  }
}

function replaceFile(storage: SessionStorage, path: string, bytes: Uint8Array, mayReplace = () => {}): void {
  const temp = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = storage.openWriter(temp, { flags: 'wx' })
    try {
      writeAll(file, bytes)
      file.datasyncSync()
    } finally {
      file.closeSync()
    }
    mayReplace()
    storage.renameSync(temp, path)
  } catch (error) {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    storage.unlink(temp).catch(() => {})
    throw error
  }
}
