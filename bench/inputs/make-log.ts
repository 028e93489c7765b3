import { encodeHeader, encodeLine } from '../../packages/core/src/codec/encode.ts'
import type { Entry } from '../../packages/core/src/entry/entry.ts'
import { createRandom, type Random } from './random.ts'
import { createTexts, type Texts } from './texts.ts'

export interface LogOptions {
  readonly seed: number
  /** The log ends with the first entry that reaches one of these. */
  readonly maxBytes?: number
  readonly maxEntries?: number
  /** How many of the entries, from the end, Treeline wrote: head first and checksummed. Pi wrote those before. */
  readonly sealedShare: number
  /** Share of the entries that start a branch somewhere above. */
  readonly branching: number
  /** Scales the texts: at 1 a line has 0.3 to 6 KB, and now and then a tool gives 100 KB. */
  readonly textScale: number
}

const START_MS = Date.UTC(2026, 0, 15, 10)
const ENTRIES_PER_TURN = 6
const TOOLS = ['read', 'bash', 'edit', 'grep']

/** A session log such as a coding agent leaves behind. The same options give the same bytes. */
export function makeLog(options: LogOptions): Uint8Array {
  const writer = new LogWriter(options)
  while (writer.room > 0) writeTurn(writer)
  return writer.finish()
}

/** Class: it owns the bytes until `finish`. */
class LogWriter {
  readonly random: Random
  readonly texts: Texts
  readonly options: LogOptions
  /** Entries at which turns began: where people branch. */
  readonly turns: (string | null)[] = []
  leafId: string | null = null
  private bytes: Buffer
  private used = 0
  private entries = 0
  private readonly ids = new Set<string>()
  private calls = 0

  constructor(options: LogOptions) {
    this.options = options
    this.random = createRandom(options.seed)
    this.texts = createTexts(this.random)
    this.bytes = Buffer.allocUnsafeSlow((options.maxBytes ?? 32_000_000) + 1_000_000)
    const id = '0199c0de-0000-7000-8000-000000000001'
    const timestamp = new Date(START_MS).toISOString()
    this.put(encodeHeader({ type: 'session', version: 3, id, timestamp, cwd: '/home/dev/project' }))
  }

  /** Entries that may still follow. */
  get room(): number {
    const { maxBytes = Number.POSITIVE_INFINITY, maxEntries = Number.POSITIVE_INFINITY } = this.options
    return this.used >= maxBytes ? 0 : maxEntries - this.entries
  }

  get nowMs(): number {
    return START_MS + this.entries * 7_311
  }

  write(type: string, fields: Readonly<Record<string, unknown>>): string {
    const id = this.newId()
    const place = { id, parentId: this.leafId, timestamp: new Date(this.nowMs).toISOString() }
    // Pi puts the id of its extensions' entries last.
    const entry: Entry = 'customType' in fields ? { type, ...fields, ...place } : { type, ...place, ...fields }
    this.put(this.isSealed() ? encodeLine(entry) : Buffer.from(`${JSON.stringify(entry)}\n`))
    this.entries++
    this.leafId = id
    return id
  }

  newCallId(): string {
    return `toolu_${String(++this.calls).padStart(8, '0')}`
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.used)
  }

  private isSealed(): boolean {
    const { maxBytes, maxEntries, sealedShare } = this.options
    const done = maxEntries === undefined ? this.used / (maxBytes ?? 1) : this.entries / maxEntries
    return done >= 1 - sealedShare
  }

  private newId(): string {
    for (;;) {
      const id = this.random.int(0, 0xffff_ffff).toString(16).padStart(8, '0')
      if (this.ids.has(id)) continue
      this.ids.add(id)
      return id
    }
  }

  private put(line: Uint8Array): void {
    if (this.used + line.length > this.bytes.length) {
      const longer = Buffer.allocUnsafeSlow(this.bytes.length * 2)
      longer.set(this.bytes.subarray(0, this.used))
      this.bytes = longer
    }
    this.bytes.set(line, this.used)
    this.used += line.length
  }
}

/** A question, some rounds of tool use, an answer. Calls and their results are never cut apart. */
function writeTurn(log: LogWriter): void {
  const { random, texts, options } = log
  if (random.chance(options.branching * ENTRIES_PER_TURN) && log.turns.length > 0) log.leafId = random.pick(log.turns)
  log.turns.push(log.leafId)
  if (random.chance(0.1)) writeAside(log)
  if (log.room > 0) writeMessage(log, { role: 'user', content: [text(texts.prose(sizeOf(log, 100, 2_000)))] })
  for (let rounds = random.int(0, 4); rounds > 0; rounds--) writeToolUse(log, random.chance(0.2) ? 2 : 1)
  if (log.room > 0) writeAnswer(log, [text(texts.prose(sizeOf(log, 300, 5_500)))], 'stop')
}

function writeToolUse(log: LogWriter, count: number): void {
  if (log.room < count + 1) return
  const { random, texts } = log
  const calls = Array.from({ length: count }, () => {
    const args = { path: 'src/codec/scan.ts', newText: texts.code(sizeOf(log, 30, 1_500)) }
    return { type: 'toolCall', id: log.newCallId(), name: random.pick(TOOLS), arguments: args }
  })
  const thinking = {
    type: 'thinking',
    thinking: texts.prose(sizeOf(log, 100, 800)),
    thinkingSignature: 'c2ln'.repeat(40),
  }
  writeAnswer(log, [thinking, text(texts.prose(sizeOf(log, 40, 300))), ...calls], 'toolUse')
  for (const { id, name } of calls) {
    const length = random.chance(0.005) ? sizeOf(log, 80_000, 120_000) : sizeOf(log, 150, 5_500)
    const output = name === 'read' ? texts.code(length) : texts.output(length)
    const result = { role: 'toolResult', toolCallId: id, toolName: name, content: [text(output)], isError: false }
    writeMessage(log, result)
  }
}

function writeAnswer(log: LogWriter, content: readonly object[], stopReason: string): void {
  const cost = { input: 0.0036, output: 0.00225, cacheRead: 0, cacheWrite: 0, total: 0.00585 }
  const usage = {
    input: log.random.int(1_000, 90_000),
    output: 150,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 1350,
    cost,
  }
  const model = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' }
  writeMessage(log, { role: 'assistant', content, ...model, usage, stopReason })
}

function writeMessage(log: LogWriter, message: Readonly<Record<string, unknown>>): void {
  log.write('message', { message: { ...message, timestamp: log.nowMs } })
}

/** The small entries between turns. */
function writeAside(log: LogWriter): void {
  const { random, texts } = log
  const target = random.pick(log.turns)
  switch (random.int(0, 4)) {
    case 0:
      log.write('model_change', { provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
      break
    case 1:
      log.write('thinking_level_change', { thinkingLevel: random.pick(['off', 'low', 'high']) })
      break
    case 2:
      if (target !== null) log.write('label', { targetId: target, label: `point ${random.int(1, 500)}` })
      break
    case 3:
      log.write('custom', { customType: 'todo-list', data: { open: [texts.prose(sizeOf(log, 40, 400))], done: [] } })
      break
    default:
      log.write('session_info', { name: texts.prose(20).slice(0, 40).trim() })
  }
}

function text(value: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: value }
}

function sizeOf({ random, options }: LogWriter, min: number, max: number): number {
  return Math.max(10, Math.round(random.size(min, max) * options.textScale))
}
