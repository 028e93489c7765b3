import { closeSync, openSync, readSync } from 'node:fs'
import { type Facts, OUR_SIDES, type Sample } from './child/job.ts'
import { runJob, runTogether } from './child/spawn.ts'
import type { Workspace } from './inputs/workspace.ts'
import { type Plan, type ProcessRow, resultsOf, type Samples, type Turn } from './process-row.ts'
import type { RowResult } from './row.ts'

const MEASURE_MS = 10_000
const MIN_ROUNDS = 5
const MAX_ROUNDS = 15

/** A fresh process for every measurement; the sides take turns, who is first moving on with every round. */
export async function measureProcessRow(row: ProcessRow, work: Workspace): Promise<RowResult[]> {
  const plan = row.plan(work)
  return resultsOf(row.id, plan.parts(await takeSamples(plan, work, plan.sides)))
}

/** Only the sides that are not ours, and no verdict: to know what there is to beat. */
export async function measureTheirs(row: ProcessRow, work: Workspace): Promise<Samples> {
  const plan = row.plan(work)
  const sides = Object.entries(plan.sides).filter(
    ([, make]) => !make().jobs.some(({ side }) => OUR_SIDES.includes(side)),
  )
  work.removeFresh()
  return takeSamples(plan, work, Object.fromEntries(sides))
}

async function takeSamples(plan: Plan, work: Workspace, sides: Plan['sides']): Promise<Samples> {
  const names = Object.keys(sides)
  const samples: Record<string, Sample[][]> = Object.fromEntries(names.map((name) => [name, []]))
  plan.warms?.forEach(warmUp)
  const start = performance.now()
  for (let round = 0; round < MAX_ROUNDS && names.length > 0; round++) {
    if (round >= (plan.minRounds ?? MIN_ROUNDS) && performance.now() - start > MEASURE_MS) break
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!
      samples[name]!.push(await takeSample(plan, sides[name]!()))
      work.removeFresh()
      plan.after?.()
    }
  }
  return samples
}

async function takeSample(plan: Plan, { before, jobs, expected }: Turn): Promise<Sample[]> {
  if (before !== undefined) await runJob(before)
  const samples = jobs.length > 1 ? await runTogether(jobs) : [await runJob(jobs[0]!)]
  for (const { facts } of samples) checkFacts({ ...plan.expected, ...expected }, facts, JSON.stringify(jobs))
  return samples
}

/** A side may know less than another, such as how many bytes it read but not how many entries they are. */
function checkFacts(expected: Facts, facts: Facts, subject: string): void {
  const known = Object.keys(facts).filter((key) => key in expected)
  if (known.length === 0) throw new Error(`${subject} says nothing that can be checked.`)
  for (const key of known) {
    if (facts[key] === expected[key]) continue
    throw new Error(`${subject} found ${key} ${facts[key]}, where ${expected[key]} is right.`)
  }
}

function warmUp(path: string): void {
  const buffer = Buffer.allocUnsafeSlow(1 << 20)
  const fd = openSync(path, 'r')
  while (readSync(fd, buffer) > 0);
  closeSync(fd)
}
