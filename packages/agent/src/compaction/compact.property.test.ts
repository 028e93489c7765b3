import { type EntryDraft, type Line, type LineMessage, Role, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEnv } from '../env.ts'
import { arbitrarySteps, fillSession } from '../testing/arbitrary-session.ts'
import { lineFaults } from '../testing/line-faults.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { testEnv } from '../testing/test-env.ts'
import { compact } from './compact.ts'
import { lineOptions } from './line-options.ts'
import { neovatePolicy } from './neovate-policy.ts'
import { piPolicy } from './pi-policy.ts'
import { undoCompaction } from './undo-compaction.ts'

const RUNS = Math.ceil(120 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1))
const signal = new AbortController().signal
const SUMMARY = '## Goal\nGo on. And on.'
/** With its lists of files and the words around it. */
const SUMMARY_TOKENS = 80

const policies = fc.constantFrom(piPolicy({ reserveTokens: 16_384, keepRecentTokens: 20_000 }), neovatePolicy(), {
  name: 'odd',
  shouldCompact: () => true,
  findCut: () => 3,
})

async function readLine(env: AgentEnv, session: Session): Promise<Line> {
  return session.line({ leafId: session.leafId, ...(await lineOptions(env, session, session.leafId)) })
}

function textsOf(messages: readonly LineMessage[]): string[] {
  return messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
}

describe('a compaction of any tree', () => {
  test('keeps the line valid, under the limit and with the pending prompt; undone, the old line is back', async () => {
    const made = { compacted: 0, refused: 0, nothing: 0 }
    await fc.assert(
      fc.asyncProperty(
        arbitrarySteps(),
        policies,
        fc.constantFrom(700, 1_500, 4_096, 8_192, 128_000),
        fc.constantFrom('manual' as const, 'threshold' as const, 'overflow' as const),
        fc.option(fc.nat(400), { nil: undefined }),
        fc.boolean(),
        async (steps, policy, contextWindow, reason, words, goesOn) => {
          await using session = await fillSession(steps)
          const model = scriptedModel({ script: () => SUMMARY, info: { contextWindow, maxOutput: 1_024 } })
          const env = testEnv({ model, policy })
          const prompt = `PENDING? ${'word '.repeat(words ?? 0)}`
          const pending = words === undefined ? undefined : await session.append(userSays(prompt))
          const before = await readLine(env, session)
          const leafBefore = session.leafId
          const seqBefore = session.seq
          const report = await compact(env, session, { model, reason, signal, pendingId: pending?.id }).catch(
            (error: unknown) => error,
          )
          if (report === undefined || report instanceof Error) {
            if (report !== undefined) {
              expect(report).toBeInstanceOf(TreelineError)
              expect((report as TreelineError).code).toBe('context_overflow')
              expect(await leastTokens(env, session)).toBeGreaterThan(contextWindow - SUMMARY_TOKENS)
              made.refused++
            } else made.nothing++
            expect(session.seq).toBe(seqBefore)
            return
          }
          made.compacted++
          const after = await readLine(env, session)
          expect(lineFaults(after.messages)).toEqual([])
          expect(env.estimate(after.messages)).toBeLessThanOrEqual(contextWindow)
          expect(textsOf(after.messages).join('\n')).toContain('Go on. And on.')
          if (pending !== undefined) expect(textsOf(after.messages)).toContain(prompt)
          if (goesOn) await session.append(userSays('More.'))
          await undoCompaction(session, (report as { nodeId: string }).nodeId)
          if (goesOn) {
            const texts = textsOf((await readLine(env, session)).messages)
            expect(texts).toContain('More.')
            await session.edit({ operations: [{ op: 'leaf', leafId: leafBefore }] })
          }
          expect(session.leafId).toBe(leafBefore)
          expect(JSON.stringify((await readLine(env, session)).messages)).toBe(JSON.stringify(before.messages))
        },
      ),
      { numRuns: RUNS },
    )
    // A property that never came to the point would prove nothing.
    expect(made.compacted).toBeGreaterThan(RUNS / 5)
    expect(made.refused).toBeGreaterThan(0)
    expect(made.nothing).toBeGreaterThan(0)
  }, 600_000)
})

/** What no compaction can take away: system text, pinned notes, the prompt that waits. */
async function leastTokens(env: AgentEnv, session: Session): Promise<number> {
  const { tree, leafId } = session
  const { nodes } = await readLine(env, session)
  const roleOf = (id: string) => tree.columns.role[tree.ids.find(id)]
  const sent = nodes.filter((node) => node.in).map(({ nodeId }) => nodeId)
  const said = sent.findLast((id) => [Role.user, Role.assistant, Role.toolResult].some((role) => role === roleOf(id)))
  const isKept = (id: string) => roleOf(id) === Role.system || (id === said && roleOf(id) === Role.user)
  const mute = new Set(nodes.map(({ nodeId }) => nodeId).filter((id) => !isKept(id)))
  const least = await session.line({ leafId, ...(await lineOptions(env, session, leafId)), mute })
  return env.estimate(least.messages)
}

function userSays(content: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content, timestamp: 1 } }
}
