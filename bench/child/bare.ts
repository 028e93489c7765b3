// What the machine can do at most, with no session store in between.
import { spawnSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { encodeLine } from '../../packages/core/src/codec/encode.ts'
import { sealInPlace } from '../../packages/core/src/codec/seal.ts'
import { makeMessages } from '../inputs/messages.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { iteratePrompts, likePrompts } from './scan-prompts.ts'

const READ_BYTES = 1 << 20
/** What a batch takes beside its lines of the usual length: one may be much longer. */
const LONG_LINE_BYTES = 4 << 20
const USUAL_LINE_BYTES = 8 << 10

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
 * The same, but each line is made when its turn comes, as nobody who keeps sessions can do before: straight into the
 * buffer it is written from. Synced if asked for.
 */
const appendEncoding: Action = ({ home, append: options }) => {
  const { count, inFlight, mode } = options!
  const messages = makeMessages(1_024)
  const timestamp = new Date().toISOString()
  const path = join(home, 'bare.jsonl')
  const fd = openSync(path, 'ax')
  const batch = Buffer.alloc(LONG_LINE_BYTES + inFlight * USUAL_LINE_BYTES)
  return prepared(
    () => {
      for (let first = 0; first < count; first += inFlight) {
        let end = 0
        for (let i = first; i < Math.min(count, first + inFlight); i++) {
          const id = i.toString(16).padStart(8, '0')
          const text = JSON.stringify(messages[i % messages.length])
          const head = `{"type":"message","id":"${id}","parentId":null,"timestamp":"${timestamp}","message":`
          const start = end
          end += batch.latin1Write(head, end)
          end += batch.utf8Write(text, end)
          end = sealInPlace(batch, end, crc32, start)
        }
        if (writeSync(fd, batch, 0, end) !== end) throw new Error('A short write: is the disk full?')
        if (mode === 'synced') fdatasyncSync(fd)
      }
      closeSync(fd)
    },
    () => ({ appended: statSync(path).size > count ? count : -1 }),
  )
}

/** Copies a file, a mebibyte at a time, and syncs it. */
const copy: Action = ({ path, home }) =>
  prepared(
    () => {
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      const from = openSync(path!, 'r')
      const to = openSync(join(home, 'copy.jsonl'), 'ax')
      for (let got = readSync(from, buffer); got > 0; got = readSync(from, buffer)) writeSync(to, buffer, 0, got)
      fdatasyncSync(to)
      closeSync(from)
      closeSync(to)
    },
    () => ({ isWritten: statSync(join(home, 'copy.jsonl')).size === statSync(path!).size ? 1 : 0 }),
  )

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

await runChild({ read, readAll, append, appendEncoding, copy, startNode, iteratePrompts, likePrompts })
