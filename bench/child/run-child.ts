import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Action, Job, Sample } from './job.ts'

/** The whole of a measuring process: prepares, perhaps waits, times one run, prints the sample. */
export async function runChild(actions: Readonly<Record<string, Action>>): Promise<void> {
  const job: Job = JSON.parse(process.argv[2] ?? '{}')
  const action = actions[job.action]
  if (action === undefined)
    throw new Error(`There is no action ${job.action}, only ${Object.keys(actions).join(', ')}.`)
  const { run, facts } = await action(job)
  if (job.waits) await waitForStart()
  const rssBefore = job.memory ? settledRss() : 0
  const peakBefore = process.resourceUsage().maxRSS
  const readBefore = countReadBytes()

  const start = performance.now()
  const result = await run()
  const end = performance.now()

  const readAfter = countReadBytes()
  const peakAfter = process.resourceUsage().maxRSS
  const rssAfter = job.memory ? settledRss() : 0
  const sample: Sample = {
    ms: end - start,
    startedAtMs: performance.timeOrigin + start,
    endedAtMs: performance.timeOrigin + end,
    ...(readBefore !== undefined && readAfter !== undefined && { readBytes: readAfter - readBefore }),
    ...(job.memory && { rssAddedBytes: rssAfter - rssBefore, peakAddedBytes: (peakAfter - peakBefore) * 1024 }),
    facts: await facts(result),
  }
  // Some libraries keep timers; nothing of theirs is worth waiting for.
  process.stdout.write(`${JSON.stringify(sample)}\n`, () => process.exit(0))
}

async function waitForStart(): Promise<void> {
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
}

/** Twice, because what finalizers let go of is freed by the next collection. */
function settledRss(): number {
  if (globalThis.gc === undefined) throw new Error('Memory is measured with node --expose-gc only.')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage.rss()
}

/** Linux counts for the whole process what `read` gave, from disk or cache. Reading the count adds some 100 bytes. */
function countReadBytes(): number | undefined {
  if (process.platform !== 'linux') return undefined
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1])
}
