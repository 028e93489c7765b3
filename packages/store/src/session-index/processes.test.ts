import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { dumpIndex } from '../testing/dump-index.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { header, message } from '../testing/temp-home.ts'
import { amount, TIMEOUT } from '../torture/amounts.ts'
import { folderSource } from './folder-source.ts'

/** So that only the first process compiles everything. */
const cache = mkdtempSync(join(tmpdir(), 'treeline-cache-'))
const env = { ...process.env, NODE_COMPILE_CACHE: cache }
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const SCRIPT = fileURLToPath(new URL('../testing/index-process.ts', import.meta.url))

/** A process that refreshes the index when told to. */
class Indexer {
  readonly said: string[] = []
  private readonly child: ChildProcess
  private readonly closed: Promise<unknown>
  private wake = (): void => {}

  constructor(world: IndexWorld, worker: 'worker' | 'here') {
    const args = [SCRIPT, world.temp.home, worker]
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env })
    this.closed = once(this.child, 'close')
    this.child.stdin!.on('error', () => {})
    const lines = createInterface({ input: this.child.stdout! })
    lines.on('line', (line) => {
      this.said.push(line)
      this.wake()
    })
    this.closed.then(() => this.wake())
  }

  refresh(): void {
    this.child.stdin!.write('go\n')
  }

  async until(isSo: (said: readonly string[]) => boolean): Promise<void> {
    while (!isSo(this.said) && this.child.exitCode === null && this.child.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.closed
  }

  async end(): Promise<void> {
    this.child.stdin!.end()
    await this.closed
  }
}

/** Makes logs long without giving much to index. */
const pad = 'x'.repeat(2000)

function plant(world: IndexWorld, from: number, to: number, nodes = 20): string[] {
  const paths: string[] = []
  for (let i = from; i < to; i++) {
    const lines = Array.from({ length: nodes }, (_, n) => ({ ...message(`node ${n} of session ${i}`, `n${n}`), pad }))
    paths.push(world.temp.plant(`s${i}`, header(`s${i}`), ...lines))
  }
  return paths
}

test('I6 an indexer that is killed leaves an index that goes on', TIMEOUT, async () => {
  await using world = new IndexWorld()
  for (let kill = 0; kill < amount(2, 300); kill++) {
    plant(world, kill * 10, kill * 10 + 10, 40)
    const indexer = new Indexer(world, kill % 2 === 0 ? 'here' : 'worker')
    await indexer.until((said) => said.includes('ready'))
    indexer.refresh()
    await indexer.until((said) => said.includes(`+${1 + (kill % 8)}`) || said.includes('done'))
    await indexer.kill()
    expect(indexer.said).not.toContain('done')
  }
  const index = await world.open()
  const { indexed } = await index.refresh()
  expect(indexed).toBeGreaterThan(0)
  await world.expectAsFresh()
})

test('I6 several processes refresh at once while logs grow; the index is that of a fresh build', TIMEOUT, async () => {
  await using world = new IndexWorld()
  const paths = plant(world, 0, 20)
  const indexers = Array.from({ length: 3 }, (_, i) => new Indexer(world, i === 0 ? 'worker' : 'here'))
  const rounds = amount(3, 100)
  for (let round = 1; round <= rounds; round++) {
    for (const indexer of indexers) indexer.refresh()
    for (const path of paths) appendFileSync(path, `${JSON.stringify(message(`grown ${round}`, `g${round}`, 'n0'))}\n`)
    const isThrough = (said: readonly string[]) =>
      said.filter((line) => line === 'done' || line[0] === '!').length >= round
    await Promise.all(indexers.map((indexer) => indexer.until(isThrough)))
  }
  expect(indexers.flatMap(({ said }) => said.filter((line) => line.startsWith('!')))).toEqual([])
  const index = await world.open()
  await index.refresh()
  await world.expectAsFresh()
  await Promise.all(indexers.map((indexer) => indexer.end()))
})

test('much work is done in a thread of its own, also for sources of other tools', async () => {
  await using world = new IndexWorld()
  plant(world, 0, 30, 10)
  await using elsewhere = new IndexWorld()
  plant(elsewhere, 50, 55)
  const { sessions: folder } = elsewhere.home.paths
  const sources = [folderSource({ name: 'pi', folders: [folder], home: world.temp.home })]
  const index = await world.open({ worker: true, sources })
  const seen: number[] = []
  const thread = once(process, 'worker')
  expect(await index.refresh({ onProgress: ({ bytesDone }) => seen.push(bytesDone) })).toMatchObject({ indexed: 35 })
  await thread
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.length).toBeGreaterThanOrEqual(35)
  expect((await index.list({ source: 'pi', limit: 100 })).sessions).toHaveLength(5)
  expect((await index.search('"node 3 of session 54"')).hits).toMatchObject([{ source: 'pi', sessionId: 's54' }])
  expect(dumpIndex(world.indexFile)).toEqual(await world.buildFresh({ sources }))
  // Whoever does not know the source neither lists nor removes what is of it.
  const ours = await world.open()
  expect(await ours.refresh()).toEqual({ indexed: 0, removed: 0, problems: [] })
  expect((await ours.list({ limit: 100 })).sessions).toHaveLength(30)
  expect((await index.list({ limit: 100 })).sessions).toHaveLength(35)
})

test('a thread that is stopped leaves an index that goes on', async () => {
  await using world = new IndexWorld()
  plant(world, 0, 30, 10)
  const index = await world.open({ worker: true })
  const stop = new AbortController()
  const stopped = index.refresh({ signal: stop.signal, onProgress: ({ filesDone }) => filesDone === 3 && stop.abort() })
  await expect(stopped).rejects.toThrow('aborted')
  await index.refresh()
  await world.expectAsFresh()
})

test('R2 a thread that dies is told with a code, and the next refresh goes on', async () => {
  await using world = new IndexWorld()
  plant(world, 0, 30, 10)
  const index = await world.open({ worker: true })
  process.once('worker', (worker) => worker.terminate())
  await expect(index.refresh()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('try again'),
  })
  await index.refresh()
  await world.expectAsFresh()
})

test.each([
  ['keeps no process alive', ''],
  ['is waited for by who closes the index', 'await index.close()'],
  ['is waited for by who asks for more', 'await index.refresh()'],
])('catching up behind a list %s', async (_, ending) => {
  await using world = new IndexWorld()
  const [path] = plant(world, 0, 2)
  const index = await world.open()
  await index.refresh()
  appendFileSync(path!, `{"type":"custom","pad":"${'x'.repeat(2e6)}"}\n`)
  const [home, open] = ['../home.ts', './open-index.ts'].map((name) =>
    JSON.stringify(new URL(name, import.meta.url).href),
  )
  const code = `
    import { once } from 'node:events'
    import { openHome } from ${home}
    import { openIndex } from ${open}
    const index = await openIndex({ home: openHome({ home: ${JSON.stringify(world.temp.home)} }) })
    const thread = once(process, 'worker')
    const { sessions } = await index.list()
    const alarm = setTimeout(() => process.exit(1), 10_000)
    await thread
    clearTimeout(alarm)
    ${ending}
    process.stdout.write(String(sessions.length))`
  const args = ['--input-type=module', '-e', code]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const said: string[] = []
  child.stdout.on('data', (data) => said.push(String(data)))
  expect(await once(child, 'close')).toEqual([0, null])
  expect(said.join('')).toBe('2')
  await index.refresh()
  await world.expectAsFresh()
})
