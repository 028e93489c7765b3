import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type EditRequestOp, TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { test } from 'vitest'
import type { Session } from '../session/session.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { runs } from '../testing/runs.ts'
import { say } from '../testing/said-in-index.ts'
import type { SessionIndex } from './session-index.ts'

interface Step {
  readonly act: keyof typeof ACTS
  readonly a: number
  readonly b: number
}

/** Somebody who works with sessions, and things that happen to the files and to the index underneath. */
class Life {
  readonly world = new IndexWorld()
  index: SessionIndex | undefined
  private said = 0

  get files(): string[] {
    return this.world.temp.list().filter((path) => path.endsWith('.jsonl'))
  }

  pick(a: number): string | undefined {
    const { files } = this
    return files[a % Math.max(1, files.length)]
  }

  words(): string {
    this.said++
    return `word${this.said} in /src/file${this.said % 5}.ts 東京${this.said}`
  }

  async create(): Promise<void> {
    await using session = await this.world.store.create({ cwd: '/work' })
    await session.append(say.user(this.words()))
    await session.append(say.assistant(this.words(), this.cost()))
  }

  cost(): { readonly input: number; readonly output: number; readonly cost: number } {
    return { input: this.said * 3, output: this.said, cost: this.said * 0.1 }
  }

  /** Whatever is refused is refused; what matters is what the files hold afterwards. */
  async with(a: number, work: (session: Session) => Promise<unknown>): Promise<void> {
    const path = this.pick(a)
    if (path === undefined) return
    try {
      await using session = await this.world.store.openPath(path, { acceptDamage: true })
      await work(session)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
    }
  }

  edit(a: number, b: number, make: (id: string) => EditRequestOp): Promise<void> {
    return this.with(a, async (session) => {
      const id = idOf(session, b)
      if (id !== undefined) await session.edit({ operations: [make(id)] })
    })
  }

  async refresh(): Promise<void> {
    this.index ??= await this.world.open()
    await this.index.refresh()
  }

  async closeIndex(): Promise<void> {
    await this.index?.close()
    this.index = undefined
  }
}

function idOf({ tree }: Session, b: number): string | undefined {
  return tree.rowCount === 0 ? undefined : tree.ids.textOf(tree.refAtRow(b % tree.rowCount))
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(1, -1)
}

const ACTS = {
  create: (life: Life) => life.create(),
  append: (life: Life, a: number, b: number) =>
    life.with(a, (session) =>
      session.append(b % 2 === 0 ? say.user(life.words()) : say.assistant(life.words(), life.cost())),
    ),
  branch: (life: Life, a: number, b: number) =>
    life.with(a, async (session) => {
      const id = idOf(session, b)
      if (id !== undefined) await session.append(say.user(life.words()), { parentId: id })
    }),
  mute: (life: Life, a: number, b: number) => life.edit(a, b, (id) => ({ op: 'mute', nodeIds: [id] })),
  prune: (life: Life, a: number, b: number) => life.edit(a, b, (nodeId) => ({ op: 'prune', nodeId, include: 'self' })),
  remove: (life: Life, a: number, b: number) =>
    life.edit(a, b, (id) => ({ op: 'delete', nodeIds: [id], how: b % 2 === 0 ? 'subtree' : 'splice' })),
  graft: (life: Life, a: number, b: number) =>
    life.edit(a, b, (sourceId) => ({ op: 'graft', sourceId, targetId: null, mode: b % 2 === 0 ? 'copy' : 'move' })),
  tag: (life: Life, a: number, b: number) =>
    life.edit(a, b, () => ({
      op: 'session',
      patch: { tags: [`t${b % 3}`], starred: b % 2 === 0, archived: b % 5 === 0 },
    })),
  name: (life: Life, a: number, b: number) =>
    life.with(a, (session) => session.rename(b % 3 === 0 ? null : `name ${b}`)),
  undo: (life: Life, a: number) => life.with(a, (session) => session.undo()),
  redo: (life: Life, a: number) => life.with(a, (session) => session.redo()),
  fork: (life: Life, a: number, b: number) =>
    life.with(a, async (session) => {
      await using fork = await life.world.store.fork(session, { how: b % 2 === 0 ? 'path' : 'whole' })
      await fork.append(say.user(life.words()))
    }),
  truncate(life: Life, a: number, b: number) {
    const path = life.pick(a)
    if (path !== undefined) truncateSync(path, b % (statSync(path).size + 1))
  },
  garbage(life: Life, a: number, b: number) {
    const path = life.pick(a)
    if (path !== undefined) appendFileSync(path, ['{"type":"mess', 'no json\n', '\n\n', '\u0000\u0000\n'][b % 4]!)
  },
  /** As after a sync that failed, or as another tool does it. */
  repeat(life: Life, a: number, b: number) {
    const path = life.pick(a)
    const lines = path === undefined ? [] : linesOf(path)
    const line = lines[b % Math.max(1, lines.length)]
    if (line !== undefined) appendFileSync(path!, `${b % 2 === 0 ? line : line.replace('word', 'werd')}\n`)
  },
  orphan(life: Life, a: number, b: number) {
    const path = life.pick(a)
    const entry = { type: 'message', id: `o${b % 7}`, parentId: `o${(b >> 3) % 7}`, timestamp: 'never' }
    if (path !== undefined) appendFileSync(path, `${JSON.stringify({ ...entry, ...say.user(life.words()) })}\n`)
  },
  /** Same length, same inode. That a log was rewritten so and then grew before anyone looked is not noticed. */
  async rewrite(life: Life, a: number) {
    await life.refresh()
    const path = life.pick(a)
    if (path === undefined) return
    const { mtimeMs } = statSync(path)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('word', 'ward'))
    // The clock of a file system may not show the difference.
    utimesSync(path, new Date(), new Date(mtimeMs + 10))
    await life.refresh()
  },
  replace(life: Life, a: number, b: number) {
    const [path, other] = [life.pick(a), life.pick(b)]
    if (path === undefined || other === undefined || path === other) return
    copyFileSync(other, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  },
  copy(life: Life, a: number, b: number) {
    const path = life.pick(a)
    if (path !== undefined) copyFileSync(path, join(dirname(path), `copy${b % 4}_of.jsonl`))
  },
  move(life: Life, a: number, b: number) {
    const path = life.pick(a)
    if (path === undefined) return
    const folder = join(life.world.home.paths.sessions, `--moved${b % 2}--`)
    mkdirSync(folder, { recursive: true })
    renameSync(path, join(folder, `moved${b % 5}_x.jsonl`))
  },
  unlink(life: Life, a: number) {
    const path = life.pick(a)
    if (path !== undefined) rmSync(path)
  },
  refresh: (life: Life) => life.refresh(),
  async keepIndex(life: Life) {
    await life.closeIndex()
    if (existsSync(life.world.indexFile)) copyFileSync(life.world.indexFile, join(life.world.temp.outside, 'kept.db'))
  },
  /** In place while nobody looks, or another file under the feet of who has it open. */
  async restoreIndex(life: Life, _: number, b: number) {
    const kept = join(life.world.temp.outside, 'kept.db')
    if (!existsSync(kept)) return
    if (b % 2 === 0) {
      await life.closeIndex()
      copyFileSync(kept, life.world.indexFile)
    } else {
      copyFileSync(kept, `${life.world.indexFile}.old`)
      renameSync(`${life.world.indexFile}.old`, life.world.indexFile)
    }
  },
  deleteIndex: (life: Life) => rmSync(life.world.indexFile, { force: true }),
} as const satisfies Record<string, (life: Life, a: number, b: number) => unknown>

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  a: fc.nat(1000),
  b: fc.nat(1000),
})

test('I6 whatever happens to logs and index, after a refresh the index is that of a fresh build', {
  timeout: 60_000 * runs(1),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }), async (steps) => {
      const life = new Life()
      await using world = life.world
      for (let i = 0; i < 3; i++) await life.create()
      for (const { act, a, b } of steps) await ACTS[act](life, a, b)
      await life.refresh()
      await world.expectAsFresh()
    }),
    { numRuns: runs(6) },
  )
})
