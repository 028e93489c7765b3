import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AssistantMessage, type Entry, Role } from '@treeline/core'
import { createMemoryStorage, openFileStore, openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { gatedModel } from '../testing/gated-model.ts'
import { parentOf } from '../testing/generate-bench.ts'
import { lineFaults } from '../testing/line-faults.ts'
import { runs } from '../testing/runs.ts'
import { userSays } from '../testing/say.ts'
import { testEnv } from '../testing/test-env.ts'
import { generatingIds } from '../testing/wire-bench.ts'
import type { AnyTool } from '../tools/tool.ts'
import { createPool } from './create-pool.ts'
import { generate } from './generate.ts'

const BRANCHES = 5
const PER_BRANCH = 2

/** What a user does meanwhile, in one of the two sessions. */
interface Act {
  readonly by: 0 | 1
  readonly kind: 'move' | 'mute' | 'unmute' | 'say'
  readonly branch: number
}

interface Plan {
  /** What each branch's prompt hangs under: the one so many before it, or nothing. */
  readonly under: readonly number[]
  /** Of each answer: how many calls of a tool come before its end. */
  readonly toolSteps: readonly number[]
  /** Which session asks for a branch's answers. */
  readonly askedBy: readonly (0 | 1)[]
  readonly acts: readonly Act[]
  readonly places: number
}

const branch = fc.nat(BRANCHES - 1)
const session = fc.constantFrom(0 as const, 1 as const)
const exactly = (length: number) => ({ minLength: length, maxLength: length })
const plans: fc.Arbitrary<Plan> = fc.record({
  under: fc.array(fc.nat(2), exactly(BRANCHES)),
  toolSteps: fc.array(fc.nat(2), exactly(BRANCHES * PER_BRANCH)),
  askedBy: fc.array(session, exactly(BRANCHES)),
  acts: fc.array(fc.record({ by: session, kind: fc.constantFrom('move', 'mute', 'unmute', 'say'), branch }), {
    maxLength: 8,
  }),
  places: fc.integer({ min: 1, max: BRANCHES * PER_BRANCH }),
})

/** Everything a model says is its own, so that nothing can be taken for another's. */
const wordsOf = (answer: number, step: number) => `answer ${answer} says in step ${step} its own words. `
const callOf = (answer: number, step: number) => `call-${answer}-${step}`

/** How often another one went on than the one before: none of this proves anything if they come one after the other. */
let switches = 0
let lastRef = ''

function makeEnv(scheduler: fc.Scheduler, { toolSteps, places }: Plan): AgentEnv {
  const wait = (label: string) => scheduler.schedule(Promise.resolve(), label)
  const gate = async (ref: string, piece: number) => {
    await wait(`${ref} ${piece}`)
    if (ref !== lastRef) switches++
    lastRef = ref
  }
  const models = toolSteps.map((steps, answer) => {
    const answers = Array.from({ length: steps + 1 }, (_, step) => {
      const call = { id: callOf(answer, step), name: 'echo', input: { text: callOf(answer, step) } }
      return { text: wordsOf(answer, step), ...(step < steps && { toolCalls: [call] }) }
    })
    return gatedModel({ ref: `model/${answer}`, answers, gate })
  })
  const echo: AnyTool = {
    name: 'echo',
    description: 'Says it again.',
    input: z.object({ text: z.string() }),
    effect: 'read',
    isRepeatable: true,
    preview: () => ({ title: 'echo' }),
    run: async ({ text }) => {
      await wait(`tool ${text}`)
      return { content: [{ type: 'text', text: `echo of ${text}` }] }
    },
  }
  return testEnv({
    tools: [echo],
    settings: { ...DEFAULT_SETTINGS, compaction: { ...DEFAULT_SETTINGS.compaction, enabled: false } },
    models: { open: async (ref) => models.find((model) => model.ref === ref)!, defaultRef: async () => 'model/0' },
    pool: createPool({ perSession: places, total: places, queued: 100 }),
  })
}

/** The prompts of the branches. */
async function plant(opened: Session, under: readonly number[]): Promise<string[]> {
  const prompts: string[] = []
  for (const [i, back] of under.entries()) {
    const parentId = back === 0 ? null : (prompts[i - back] ?? null)
    prompts.push((await opened.append(userSays(`prompt ${i}`), { parentId })).id)
  }
  return prompts
}

/** Does what a user does. Returns where the leaf is then, if it has gone somewhere. */
async function act(
  opened: Session,
  { kind, branch: at }: Act,
  prompts: readonly string[],
): Promise<string | undefined> {
  const nodeId = prompts[at]!
  if (kind === 'say') return (await opened.append(userSays(`said at ${at}`))).id
  if (kind !== 'move') await opened.edit({ operations: [{ op: kind, nodeIds: [nodeId] }] })
  else {
    await opened.branch(nodeId)
    return nodeId
  }
  return undefined
}

function childrenOf({ tree }: Session, nodeId: string): string[] {
  const ref = tree.ids.find(nodeId)
  const found: string[] = []
  for (let child = 1; child < tree.ids.count; child++) {
    if (tree.columns.parent[child] === ref && tree.columns.role[child] !== Role.none) found.push(tree.ids.textOf(child))
  }
  return found
}

async function entriesOf(opened: Session): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of opened.entries()) found.push(entry)
  return found
}

/** Every answer at its place, with its own words, calls and results, and nothing else. */
async function expectRight(opened: Session, plan: Plan, prompts: readonly string[], nodeIds: readonly string[]) {
  expect(generatingIds(opened)).toEqual([])
  expect(opened.partials?.list()).toEqual([])
  const entries = await entriesOf(opened)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  const byId = new Map(entries.map((entry) => [entry.id, entry.message as AssistantMessage | undefined]))
  expect(new Set(nodeIds).size).toBe(BRANCHES * PER_BRANCH)
  const seen = new Set<string>()
  for (const [answer, nodeId] of nodeIds.entries()) {
    expect(parentOf(opened, nodeId)).toBe(prompts[Math.floor(answer / PER_BRANCH)])
    const steps = plan.toolSteps[answer]!
    let at = nodeId
    for (let step = 0; ; step++) {
      const text = { type: 'text', text: wordsOf(answer, step) }
      const id = callOf(answer, step)
      const call = { type: 'toolCall', id, name: 'echo', arguments: { text: id } }
      seen.add(at)
      expect(byId.get(at)).toMatchObject({ role: 'assistant', model: `${answer}` })
      expect(byId.get(at)?.content).toEqual(step < steps ? [text, call] : [text])
      if (step === steps) break
      const [result, ...others] = childrenOf(opened, at)
      expect(others).toEqual([])
      seen.add(result!)
      const echoed = [{ type: 'text', text: `echo of ${id}` }]
      expect(byId.get(result!)).toMatchObject({ role: 'toolResult', toolCallId: id, content: echoed })
      const next = childrenOf(opened, result!)
      expect(next).toHaveLength(1)
      at = next[0]!
    }
    expect(childrenOf(opened, at)).toEqual([])
    const { messages, nodes } = await opened.line({ leafId: at, unmute: new Set(prompts) })
    expect(lineFaults(messages)).toEqual([])
    expect(nodes.filter((node) => node.in && node.repairs !== undefined)).toEqual([])
  }
  const spoken = [...byId].filter(([, message]) => message?.role === 'assistant' || `${message?.role}` === 'toolResult')
  expect(spoken.map(([id]) => id).toSorted()).toEqual([...seen].toSorted())
}

interface Place {
  readonly open: () => Promise<SessionStore>
  readonly remove: () => Promise<void>
}

async function takePlan(place: Place, scheduler: fc.Scheduler, plan: Plan): Promise<void> {
  await using store = await place.open()
  await using first = await store.create({ cwd: '/project' })
  const prompts = await plant(first, plan.under)
  await using second = await store.open(first.id)
  const sessions = [first, second] as const
  const env = makeEnv(scheduler, plan)
  const leaves = sessions.map(({ leafId }) => leafId)
  const doings = [0, 1].map((by) => {
    const own = plan.acts.filter((one) => one.by === by)
    return scheduler.scheduleSequence(
      own.map((one) => ({
        label: `session ${by} ${one.kind} ${one.branch}`,
        builder: async () => {
          leaves[by] = (await act(sessions[one.by], one, prompts)) ?? leaves[by]!
        },
      })),
    ).task
  })
  const asked = plan.askedBy.map(async (by, i) => {
    await scheduler.schedule(Promise.resolve(), `ask for branch ${i}`)
    const specs = Array.from({ length: PER_BRANCH }, (_, n) => ({ model: `model/${i * PER_BRANCH + n}` }))
    const generations = await generate(env, sessions[by], { parentId: prompts[i]!, specs })
    expect((await generations.done).filter(({ error }) => error !== undefined)).toEqual([])
    return generations.nodeIds
  })
  const all = Promise.all([Promise.all(asked), ...doings])
  await scheduler.waitFor(all)
  const nodeIds = (await all)[0].flat()

  expect(sessions.map(({ leafId }) => leafId)).toEqual(leaves)
  for (const opened of sessions) {
    await opened.refresh()
    await expectRight(opened, plan, prompts, nodeIds)
  }
  expect(sessions.map(({ leafId }) => leafId)).toEqual(leaves)
  await using later = await place.open()
  await using again = await later.open(first.id)
  await expectRight(again, plan, prompts, nodeIds)
  // The log ends where one of the two has put it: never at an answer.
  expect(leaves).toContain(again.leafId)
  expect(again.report().problems).toEqual([])
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  memory: async () => {
    const storage = createMemoryStorage()
    return { open: () => openMemoryStore({ storage }), remove: async () => {} }
  },
  file: async () => {
    const home = await mkdtemp(join(tmpdir(), 'treeline-generate-'))
    return { open: () => openFileStore({ home }), remove: () => rm(home, { recursive: true, force: true }) }
  },
}

test.each([
  ['memory', 40],
  ['file', 15],
] as const)(
  'T20 ten generations on five branches at once end in ten right nodes, whatever comes first (%s)',
  async (kind, times) => {
    switches = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
        const place = await PLACES[kind]!()
        try {
          await takePlan(place, scheduler, plan)
        } finally {
          await place.remove()
        }
      }),
      { numRuns: runs(times) },
    )
    expect(switches).toBeGreaterThan(runs(times) * 20)
  },
  300_000,
)
