import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { piPolicy } from '../compaction/pi-policy.ts'
import type { AgentEnv } from '../env.ts'
import { recover } from '../recovery/recover.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { type ScriptedAnswer, scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { runShellCommand } from '../tools/shell-command.ts'
import type { AnyTool } from '../tools/tool.ts'
import type { TurnEvent } from '../turn/events.ts'
import { takeTurn } from '../turn/turn.ts'
import { attemptOf, auditLine, findMissing, readAll } from './audit-session.ts'
import { type DiskFault, FailingDisk } from './failing-disk.ts'

const call = (id: string) => ({ id, name: 'note', input: { text: id } })
/** Two tools at once, one that is asked about, too much for the model, a compaction, one more tool. */
const SCRIPT: readonly ScriptedAnswer[] = [
  { text: 'Noting.', toolCalls: [call('c1'), call('c2')] },
  { error: new TreelineError('context_overflow', 'Too much.') },
  { text: 'And one.', toolCalls: [call('c3')] },
  { text: 'Done.' },
]

interface Run {
  readonly disk: FailingDisk
  readonly env: AgentEnv
  readonly ran: string[]
}

function prepare(): Run {
  const ran: string[] = []
  const note: AnyTool = {
    name: 'note',
    description: 'Notes.',
    input: z.object({ text: z.string() }),
    effect: 'run',
    isRepeatable: false,
    preview: () => ({ title: 'note' }),
    run: async ({ text }) => {
      ran.push(text)
      return { content: [{ type: 'text', text }] }
    },
  }
  const script = [...SCRIPT]
  const model = scriptedModel({
    // Only answers may call tools; the rest are summaries.
    script: ({ tools }) => (tools === undefined ? '## Goal\nGo on.' : (script.shift() ?? 'Done.')),
  })
  const compaction = { ...DEFAULT_SETTINGS.compaction, reserveTokens: 1_000, keepRecentTokens: 20 }
  const settings = { ...DEFAULT_SETTINGS, compaction }
  const ask = async () => ({ decision: 'tool' as const })
  const env = testEnv({ model, tools: [note], ask, settings, policy: piPolicy(compaction) })
  return { disk: new FailingDisk(), env, ran }
}

async function fill(session: Session): Promise<void> {
  for (const n of [1, 2]) {
    const content = `Question ${n}. ${'word '.repeat(60)}`
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: n } })
    const text = [{ type: 'text', text: `Answer ${n}. ${'word '.repeat(60)}` }]
    const message = { role: 'assistant', content: text, stopReason: 'stop', timestamp: n }
    await session.append({ type: 'message', message })
  }
}

/** A turn on a disk that fails; then the disk is mended, the session recovered, and a turn has to succeed. */
async function liveThrough(fault: DiskFault): Promise<{ readonly count: number; readonly types: readonly string[] }> {
  const { disk, env, ran } = prepare()
  await using store = await openMemoryStore({ storage: disk.storage })
  await using session = await store.create({ cwd: '/project' })
  await fill(session)
  disk.arm(fault)
  const told: TurnEvent[] = []
  const failure: unknown = await takeTurn(env, session, { prompt: 'Go on' }, (event) => told.push(event)).catch(
    (error: unknown) => error,
  )
  const { count } = disk
  disk.heal()
  // It throws with a code or it ends; never both, never neither.
  if (failure !== undefined) expect(failure).toBeInstanceOf(TreelineError)
  expect(told.at(-1)?.type === 'ended').toBe(failure === undefined)
  const before = [...ran]
  await auditAll(session, told, ran)
  const report = await recover(env, session)
  expect(report).toMatchObject({ runningIds: [], strayIds: [], problems: [] })
  expect(await auditLine(session)).toEqual([])
  expect(ran).toEqual(before)
  expect(session.partials?.list()).toEqual([])
  await takeTurn(env, session, { prompt: 'And now?' }, (event) => told.push(event))
  expect(told.at(-1)).toMatchObject({ type: 'ended', reason: 'stop' })
  expect(new Set(ran).size).toBe(ran.length)
  await using later = await openMemoryStore({ storage: disk.storage })
  await using again = await later.open(session.id)
  await auditAll(again, told, ran)
  expect(await auditLine(again)).toEqual([])
  expect(again.leafId).toBe(session.leafId)
  return { count, types: told.map(({ type }) => type) }
}

/** What was told is there, and no tool ran without a line that says so (D1, D6). */
async function auditAll(session: Session, told: readonly TurnEvent[], ran: readonly string[]): Promise<void> {
  const attempted = new Set((await readAll(session)).map(attemptOf))
  for (const event of told)
    if (await findMissing(session, event, attempted)) throw new Error(`gone: ${JSON.stringify(event)}`)
  expect(ran.filter((id) => !attempted.has(id))).toEqual([])
}

const FAULTS: readonly Omit<DiskFault, 'nth'>[] = [
  { call: 'write', code: 'ENOSPC', lasts: false },
  { call: 'write', code: 'ENOSPC', lasts: true },
  { call: 'write', code: 'EIO', lasts: false },
  { call: 'sync', code: 'EIO', lasts: false },
  { call: 'sync', code: 'EIO', lasts: true },
]

describe.each(FAULTS)('D1, D6, R3 $code at a $call, for good: $lasts', (fault) => {
  test('of any line of a turn: nothing told is lost, no tool runs unsaid or twice, and it goes on', async () => {
    const { count, types } = await liveThrough({ ...fault, nth: Number.POSITIVE_INFINITY })
    expect(types.filter((type) => type === 'tool_done' || type === 'compacted')).toEqual([
      'tool_done',
      'tool_done',
      'compacted',
      'tool_done',
    ])
    expect(count).toBeGreaterThan(12)
    const wrong: string[] = []
    for (let nth = 1; nth <= count; nth++) {
      await liveThrough({ ...fault, nth }).catch((error) => wrong.push(`${fault.call} ${nth}: ${error.stack}`))
    }
    expect(wrong).toEqual([])
  })
})

test('D6 a command of the user runs only when it is noted; when its output finds no room it is closed later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-shell-'))
  try {
    for (const nth of [1, 2]) {
      const { disk, env } = prepare()
      await using store = await openMemoryStore({ storage: disk.storage })
      await using session = await store.create({ cwd: '/project' })
      disk.arm({ call: 'write', code: 'ENOSPC', nth, lasts: true })
      const asked = { command: `echo > ran-${nth}`, isExcluded: false, signal: new AbortController().signal }
      await expect(runShellCommand({ ...env, cwd: folder }, session, asked)).rejects.toMatchObject({
        code: 'storage_full',
      })
      disk.heal()
      expect(existsSync(join(folder, `ran-${nth}`))).toBe(nth === 2)
      expect((await recover(env, session)).commandIds).toHaveLength(nth - 1)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
