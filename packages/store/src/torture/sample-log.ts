import { dirname } from 'node:path'
import { decodeLog, type Entry, encodeHeader } from '@treeline/core'
import { openMemoryStore } from '../memory-store.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { type Random, seededRandom } from '../testing/crash-storage.ts'
import { HOME, LOG_PATH, readBytes } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'

export interface SampleLine {
  readonly start: number
  /** Behind the closing brace; the line end follows. */
  readonly end: number
  /** Absent for the header. */
  readonly entry: Entry | undefined
}

export interface SampleLog {
  readonly bytes: Uint8Array
  readonly lines: readonly SampleLine[]
}

/** A conversation as the store writes it: messages, a branch, a batch, labels, edits, a name, settings. */
export async function makeSampleLog(seed: number, turns = 4): Promise<SampleLog> {
  const random = seededRandom(seed)
  const storage = createMemoryStorage()
  storage.ensureDirSync(dirname(LOG_PATH))
  const header = { type: 'session', version: 3, id: 'sample', timestamp: '2026-01-15T10:00:00.000Z', cwd: '/work' }
  storage.writeTextSync(LOG_PATH, Buffer.from(encodeHeader(header as Parameters<typeof encodeHeader>[0])).toString())
  await using store = await openMemoryStore({ storage, home: HOME })
  await using session = await store.openPath(LOG_PATH)
  const id = newIds(random)
  const size = () => 20 + Math.floor(random() * 300)
  for (let turn = 0; turn < turns; turn++) {
    const [first, second, third] = [id(), id(), id()]
    await session.append(sampleDraft(first, size()))
    await session.appendAll([sampleDraft(second, size()), sampleDraft(third, size())])
    await session.setLabel(second, `label ${turn}`)
    if (random() < 0.5) await session.edit({ operations: [{ op: 'mute', nodeIds: [first] }] })
    if (random() < 0.5) await session.setConfig({ approvalMode: 'yolo', summary: `turn ${turn}` })
    if (random() < 0.3) await session.rename(`name ${turn} é`)
    if (random() < 0.5) await session.branch(first)
  }
  return describeLog(readBytes(storage))
}

function describeLog(bytes: Uint8Array): SampleLog {
  const { records } = decodeLog(bytes)
  const lines = records.map(({ value, offset, length }) => ({
    start: offset,
    end: offset + length,
    entry: value.type === 'session' ? undefined : (value as Entry),
  }))
  return { bytes, lines: lines[0]?.start === 0 && lines[0].entry === undefined ? lines : [headerLine(bytes), ...lines] }
}

function headerLine(bytes: Uint8Array): SampleLine {
  return { start: 0, end: bytes.indexOf(0x0a), entry: undefined }
}

function newIds(random: Random): () => string {
  return () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')
}
