import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Job, Sample } from './job.ts'

interface Child {
  /** Resolves when it prepared everything and waits. */
  readonly ready: Promise<unknown>
  readonly sample: Promise<Sample>
  start(): void
}

export async function runJob(job: Job): Promise<Sample> {
  return spawnJob(job).sample
}

/** Starts them together once all are prepared. */
export async function runTogether(jobs: readonly Job[]): Promise<Sample[]> {
  const children = jobs.map((job) => spawnJob({ ...job, waits: true }))
  const samples = Promise.all(children.map(({ sample }) => sample))
  // A child that fails while preparing is never ready.
  await Promise.race([samples, Promise.all(children.map(({ ready }) => ready))])
  for (const child of children) child.start()
  return samples
}

function spawnJob(job: Job): Child {
  const file = join(import.meta.dirname, `${job.side}.ts`)
  const flags = ['--disable-warning=ExperimentalWarning', ...(job.memory ? ['--expose-gc'] : [])]
  const env = { ...process.env, PI_CODING_AGENT_DIR: job.home, TREELINE_HOME: job.home }
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(job)], { env, stdio: 'pipe' })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  let last = ''
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    last = line
  })
  const sample = once(child, 'close').then(([code]): Sample => {
    if (code !== 0) throw new Error(`${job.side} ${job.action} failed (${code}): ${errors.trim()}`)
    return JSON.parse(last)
  })
  return { ready: once(lines, 'line'), sample, start: () => child.stdin.end('start\n') }
}
