import type { SessionWriter, Turn } from './session-writer.ts'

const ENTRIES_PER_TURN = 6
const TOOLS = ['read', 'bash', 'edit', 'grep']
const MAX_TURNS_BACK = 4

/** A question, some rounds of tool use, an answer. Calls and their results are never cut apart. */
export function writeTurn(log: SessionWriter, branching = log.shape.branching): void {
  const { random, texts } = log
  if (random.chance(branching * ENTRIES_PER_TURN) && log.turns.length > 0) goBack(log)
  const parentId = log.leafId
  log.turns.push(parentId)
  const [entriesBefore, messagesBefore] = [log.entries, log.messages]
  // The last entry of a session is a question or an answer, which is also the last sign of life that tools list.
  if (random.chance(0.1) && log.room > 1) writeAside(log)
  if (log.room === 0) return
  const firstId = writeMessage(log, { role: 'user', content: [text(writePrompt(log))] })
  log.path.push({ parentId, firstId, entriesBefore, messagesBefore })
  for (let rounds = random.int(0, 4); rounds > 0; rounds--) writeToolUse(log, random.chance(0.2) ? 2 : 1)
  if (log.room > 0) writeAnswer(log, [text(texts.prose(sizeOf(log, 300, 5_500)))], 'stop')
}

/** Sums up the path but for about its last `keepEntries` entries, and gives the turn from which on it is kept. */
export function writeCompaction(log: SessionWriter, keepEntries: number): Turn | undefined {
  const { texts, path } = log
  const kept = path.findLast(({ entriesBefore }) => log.entries - entriesBefore >= keepEntries) ?? path[0]
  if (kept === undefined) return undefined
  const details = { readFiles: ['src/codec/scan.ts'], modifiedFiles: ['src/codec/parse.ts'] }
  const fields = { summary: texts.prose(6_000), firstKeptEntryId: kept.firstId, tokensBefore: 182_344, details }
  log.write('compaction', fields)
  return kept
}

function writePrompt(log: SessionWriter): string {
  const { shape, texts, turns } = log
  const prompt = texts.prose(sizeOf(log, 100, 2_000))
  if (shape.marks === undefined || turns.length % shape.marks.everyTurns > 0) return prompt
  log.marked++
  return `${shape.marks.word} ${prompt}`
}

function goBack(log: SessionWriter): void {
  const { random, turns, path } = log
  if (log.shape.branchAt !== 'recent') {
    log.leafId = random.pick(turns)
    return
  }
  if (path.length < 2) return
  const back = random.int(1, Math.min(MAX_TURNS_BACK, path.length - 1))
  log.leafId = path[path.length - back]!.parentId
  path.length -= back
}

function writeToolUse(log: SessionWriter, count: number): void {
  if (log.room < count + 2) return
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

function writeAnswer(log: SessionWriter, content: readonly object[], stopReason: string): void {
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

function writeMessage(log: SessionWriter, message: Readonly<Record<string, unknown>>): string {
  return log.write('message', { message: { ...message, timestamp: log.nowMs } })
}

/** The small entries between turns. */
function writeAside(log: SessionWriter): void {
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

function sizeOf({ random, shape }: SessionWriter, min: number, max: number): number {
  return Math.max(10, Math.round(random.size(min, max) * shape.textScale))
}
