// What the machine can do at most, with no session store in between.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { encodeLine } from '../../packages/core/src/codec/encode.ts'
import { sealInPlace } from '../../packages/core/src/codec/seal.ts'
import { createFileLocks } from '../../packages/store/src/locks/file-locks.ts'
import { homePaths } from '../../packages/store/src/paths.ts'
import { makeMessages } from '../inputs/messages.ts'
import { driveAppends } from './drive-appends.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { iteratePrompts, likePrompts } from './scan-prompts.ts'

const READ_BYTES = 1 << 20
const COPY_BYTES = 256 << 10
const SYNC_BYTES = 1 << 20
const datasync = promisify(fdatasync)
/** What a batch takes beside its lines of the usual length: one may be much longer. */
const LONG_LINE_BYTES = 4 << 20
const USUAL_LINE_BYTES = 8 << 10

/** Node's own, which its types leave out. */
interface DirectWrites {
  latin1Write(text: string, at: number): number
  utf8Write(text: string, at: number): number
}

/** Reads the file once, into one buffer of 1 MiB. */
const read: Action = ({ path }) =>
  prepared(
    () => {
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      const fd = openSync(path!, 'r')
      let total = 0
      for (let got = readSync(fd, buffer); got > 0; got = readSync(fd, buffer)) total += got
      closeSync(fd)
      return total
    },
    (bytes) => ({ bytes }),
  )

/** One write and one fdatasync for as many lines as the other side has in flight. The lines were encoded before. */
const append: Action = ({ home, append: options }) => {
  const { count, inFlight } = options!
  const messages = makeMessages(1_024)
  const timestamp = new Date().toISOString()
  const lines = Array.from({ length: count }, (_, i) => {
    const id = i.toString(16).padStart(8, '0')
    return encodeLine({ type: 'message', id, parentId: null, timestamp, message: messages[i % messages.length]! })
  })
  const batches: Buffer[] = []
  for (let i = 0; i < count; i += inFlight) batches.push(Buffer.concat(lines.slice(i, i + inFlight)))
  const path = join(home, 'bare.jsonl')
  const fd = openSync(path, 'ax')
  return prepared(
    () => {
      for (const batch of batches) {
        if (writeSync(fd, batch) !== batch.length) throw new Error('A short write: is the disk full?')
        fdatasyncSync(fd)
      }
      closeSync(fd)
    },
    () => ({ appended: statSync(path).size === batches.reduce((sum, { length }) => sum + length, 0) ? count : -1 }),
  )
}

/**
 * The least that any store does for whoever calls `append` and waits: a line is made of each message, straight into the
 * buffer it is written from, what was asked for together is written at once, and everybody is told. Ids are counted, and
 * there is no tree and nobody else. `locked` adds what it takes to share the file: the lock, a look before and one after.
 */
const appendFloor: Action = ({ home, append: options, locked = false }) => {
  const { count, inFlight, mode } = options!
  const messages = makeMessages(1_024)
  const timestamp = new Date().toISOString()
  const path = join(home, 'bare.jsonl')
  const fd = openSync(path, 'ax')
  const room = Buffer.alloc(LONG_LINE_BYTES + inFlight * USUAL_LINE_BYTES) as Buffer & DirectWrites
  const locks = locked ? createFileLocks({ paths: homePaths(home) }) : undefined
  let lines = 0
  let waiting: { readonly text: string; readonly told: () => void }[] = []
  const write = (batch: typeof waiting): void => {
    let end = 0
    for (const { text } of batch) {
      const id = (lines++).toString(16).padStart(8, '0')
      const head = `{"type":"message","id":"${id}","parentId":null,"timestamp":"${timestamp}","message":`
      const start = end
      end += room.latin1Write(head, end)
      end += room.utf8Write(text, end)
      end = sealInPlace(room, end, crc32, start)
    }
    if (locked) lstatSync(path, { bigint: true })
    if (writeSync(fd, room, 0, end) !== end) throw new Error('A short write: is the disk full?')
    if (locked) fstatSync(fd, { bigint: true })
  }
  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    if (locks === undefined) write(batch)
    else await locks.run(path, () => write(batch))
    if (mode === 'synced') await datasync(fd)
    for (const { told } of batch) told()
  }
  const append = (index: number): Promise<void> =>
    new Promise((told) => {
      if (waiting.push({ text: JSON.stringify(messages[index % messages.length]), told }) === 1) queueMicrotask(flush)
    })
  return prepared(
    () => driveAppends(append, options!),
    () => ({ appended: statSync(path).size > count ? count : -1 }),
  )
}

/**
 * Copies the first bytes of a file and makes the copy durable, as its name: what is physically needed to fork as many. In
 * the best way that was found: pieces that stay in the processor's cache, and the disk at work while they are copied.
 */
const copy: Action = ({ path, home, bytes }) => {
  const target = join(home, 'copy.jsonl')
  return prepared(
    async () => {
      const buffer = Buffer.allocUnsafeSlow(COPY_BYTES)
      const from = openSync(path!, 'r')
      const to = openSync(`${target}.tmp`, 'ax')
      let syncing: Promise<void> | undefined
      for (let at = 0; at < bytes!; ) {
        const got = readSync(from, buffer, 0, Math.min(COPY_BYTES, bytes! - at), at)
        writeSync(to, buffer, 0, got)
        at += got
        syncing ??= datasync(to).then(() => {
          syncing = undefined
        })
        if (at % SYNC_BYTES < COPY_BYTES) await new Promise(setImmediate)
      }
      await syncing
      await datasync(to)
      closeSync(from)
      closeSync(to)
      renameSync(`${target}.tmp`, target)
      const folder = openSync(home, 'r')
      fsyncSync(folder)
      closeSync(folder)
    },
    () => ({ isWritten: statSync(target).size === bytes ? 1 : 0 }),
  )
}

/** Reads every file below the folder once. */
const readAll: Action = ({ home }) => {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return prepared(
    () => {
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      for (const path of paths) {
        const fd = openSync(path, 'r')
        while (readSync(fd, buffer) > 0);
        closeSync(fd)
      }
      return paths.length
    },
    (files) => ({ files }),
  )
}

/** A process that does nothing. */
const startNode: Action = () =>
  prepared(
    () => spawnSync(process.execPath, ['-e', '0']),
    ({ status }) => ({ status: status ?? -1 }),
  )

await runChild({ read, readAll, append, appendFloor, copy, startNode, iteratePrompts, likePrompts })
