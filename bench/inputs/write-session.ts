import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { encodeHeader, encodeLine } from '../../packages/core/src/codec/encode.ts'
import type { SessionHeader } from '../../packages/core/src/entry/entry.ts'
import type { Summary } from '../child/summaries.ts'
import { SessionFacts } from './session-facts.ts'
import { type SessionShape, SessionWriter, START_MS } from './session-writer.ts'
import { writeCompaction, writeTurn } from './turn.ts'

/** The same session as each tool writes it, and what is to be found in it. */
export interface WrittenSession {
  readonly entries: number
  readonly leafId: string
  /** Where Treeline's is; `bytes` is its length. */
  readonly ours: Place
  readonly bytes: number
  /** Missing if only ours was asked for. */
  readonly pi?: Place
  readonly summary: Summary
  /** Messages from the root to the leaf; counted if `minDepth` was asked for. */
  readonly pathMessages: number
  /** Of the lines of that path in Treeline's file. */
  readonly pathBytes: number
  /** Messages the model gets: the last summary and what comes after; counted if there are compactions. */
  readonly lineMessages: number
  /** Prompts that begin with the word of `marks`. */
  readonly marked: number
}

interface Place {
  readonly home: string
  readonly path: string
}

export interface SessionOptions extends SessionShape {
  readonly cwd?: string
  /** What the tools call their home: `<home>/sessions/--<cwd>--/<time>_<id>.jsonl` is the layout of both. */
  readonly oursHome: string
  readonly piHome?: string
  /** Goes on until the path to the leaf has this many entries. */
  readonly minDepth?: number
  /** Sums up every so many entries, keeping some, and once more shortly before the end. */
  readonly compaction?: { readonly everyEntries: number; readonly keepEntries: number; readonly tailEntries: number }
}

const BUFFER_BYTES = 1 << 20
/** More than a turn can have. */
const TURN_ENTRIES = 40

/** Writes a session in pieces, however long it is. The same options give the same bytes. */
export function writeSession(options: SessionOptions): WrittenSession {
  const { seed, cwd = '/home/dev/project', oursHome, piHome, compaction, minDepth = 0, startMs = START_MS } = options
  const id = `0199c0de-0000-7000-8000-${seed.toString(16).padStart(12, '0')}`
  const timestamp = new Date(startMs).toISOString()
  const header: SessionHeader = { type: 'session', version: 3, id, timestamp, cwd }
  using ours = new FileSink(sessionPath(oursHome, header))
  using pi = piHome === undefined ? undefined : new FileSink(sessionPath(piHome, header))
  const facts = new SessionFacts(minDepth > 0)
  const writer = new SessionWriter(options, (entry) => {
    pi?.write(Buffer.from(`${JSON.stringify(entry)}\n`))
    const bytes = ours.write(encodeLine(entry))
    facts.add(entry, bytes)
    return bytes
  })
  ours.write(encodeHeader(header))
  pi?.write(Buffer.from(`${JSON.stringify(header)}\n`))

  let compactedAt = 0
  while (writer.room > 0 && (minDepth === 0 || facts.depth < minDepth)) {
    if (compaction !== undefined && writer.entries - compactedAt >= compaction.everyEntries) {
      writeCompaction(writer, compaction.keepEntries)
      compactedAt = writer.entries
    }
    writeTurn(writer)
  }
  const lineMessages = compaction === undefined ? 0 : writeEnd(options, writer, compaction)
  return {
    entries: writer.entries,
    leafId: writer.leafId!,
    ours: { home: oursHome, path: ours.path },
    bytes: ours.bytes,
    ...(pi && { pi: { home: piHome!, path: pi.path } }),
    summary: { id, messageCount: writer.messages, ...facts.summary },
    pathMessages: facts.pathMessages,
    pathBytes: facts.pathBytes,
    lineMessages,
    marked: writer.marked,
  }
}

/** Past the size that was asked for, and without branches, so that what the last compaction keeps stays on the path. */
function writeEnd(
  options: SessionOptions,
  writer: SessionWriter,
  { keepEntries, tailEntries }: NonNullable<SessionOptions['compaction']>,
): number {
  const { maxBytes: _reached, ...endless } = options
  const writeMore = (entries: number): void => {
    writer.shape = { ...endless, maxEntries: writer.entries + entries }
    while (writer.room > 0) writeTurn(writer, 0)
  }
  writeMore(keepEntries + TURN_ENTRIES)
  const kept = writeCompaction(writer, keepEntries)!
  writeMore(tailEntries)
  return 1 + writer.messages - kept.messagesBefore
}

export function sessionPath(home: string, { cwd, id, timestamp }: SessionHeader): string {
  const folder = join(home, 'sessions', `--${cwd.slice(1).replaceAll('/', '-')}--`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`)
}

/** Class: it opens and closes. Synced at the end, so that nothing is still being written back during a measurement. */
class FileSink implements Disposable {
  readonly path: string
  bytes = 0
  private readonly fd: number
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  private used = 0

  constructor(path: string) {
    this.path = path
    this.fd = openSync(path, 'wx', 0o600)
  }

  write(line: Uint8Array): number {
    if (this.used + line.length > this.buffer.length) this.flush()
    if (line.length > this.buffer.length) writeAll(this.fd, line)
    else {
      this.buffer.set(line, this.used)
      this.used += line.length
    }
    this.bytes += line.length
    return line.length
  }

  [Symbol.dispose](): void {
    try {
      this.flush()
      fdatasyncSync(this.fd)
    } finally {
      closeSync(this.fd)
    }
  }

  private flush(): void {
    writeAll(this.fd, this.buffer.subarray(0, this.used))
    this.used = 0
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}
