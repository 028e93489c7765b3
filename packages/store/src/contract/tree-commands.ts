import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Session } from '../session/session.ts'
import type { SessionStore, StoreOptions } from '../store.ts'
import type { Given } from './given.ts'
import { expectLook } from './look.ts'
import { user } from './say.ts'
import type { TreeModel } from './tree-model.ts'

/** The real thing beside the model. */
export class RealSession implements AsyncDisposable {
  made = 0
  session: Session
  private store: SessionStore
  private readonly given: Given
  private readonly options: StoreOptions

  private constructor(given: Given, options: StoreOptions, store: SessionStore, session: Session) {
    this.given = given
    this.options = options
    this.store = store
    this.session = session
  }

  static async create(given: Given, options: StoreOptions = {}): Promise<RealSession> {
    const store = await given.reopen(options)
    return new RealSession(given, options, store, await store.create())
  }

  /** As after a restart. */
  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await this.given.reopen(this.options)
    this.session = await this.store.open(this.session.id)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.store.close()
  }
}

type Act = (model: TreeModel, real: RealSession, pick: Pick) => Promise<void> | undefined
type Command = fc.AsyncCommand<TreeModel, RealSession>

interface Pick {
  readonly a: number
  readonly b: number
  readonly flag: boolean
}

/** Each returns undefined when there is nothing to do it to; otherwise model and session do the same. */
const ACTS: Readonly<Record<string, Act>> = {
  append(model, real) {
    return append(model, real, model.leaf, {})
  },
  appendElsewhere(model, real, { a, flag }) {
    const parentId = flag ? null : choose(model.attached, a)
    return parentId === undefined ? undefined : append(model, real, parentId, { parentId })
  },
  branch(model, { session }, { a }) {
    const id = choose(model.attached, a)
    if (id === undefined) return undefined
    if (id !== model.leaf) model.change({ type: 'leaf' }, id)
    return session.branch(id)
  },
  reset(model, { session }) {
    if (model.leaf !== null) model.change({ type: 'leaf' }, null)
    return session.resetLeaf()
  },
  label(model, { session }, { a, b, flag }) {
    const id = choose(model.live, a)
    if (id === undefined) return undefined
    const label = flag ? null : `label ${b % 3}`
    model.change({ type: 'label', id, label })
    return session.setLabel(id, label)
  },
  mute(model, real, { a, flag }) {
    const id = choose(model.live, a)
    if (id === undefined) return undefined
    if (model.isMuted(id) === flag) model.change({ type: 'mute', id, on: !flag })
    return edit(real, { op: flag ? 'unmute' : 'mute', nodeIds: [id] })
  },
  prune(model, real, { a }) {
    const id = choose(model.cuttable, a)
    if (id === undefined) return undefined
    model.change({ type: 'prune', id })
    return edit(real, { op: 'prune', nodeId: id, include: 'self' })
  },
  graft(model, real, { a, b, flag }) {
    const id = choose(model.live, a)
    const target = flag ? null : choose(model.attached, b)
    if (id === undefined || target === undefined || model.isWithin(target, id)) return undefined
    model.change({ type: 'graft', id, target })
    return edit(real, { op: 'graft', sourceId: id, targetId: target })
  },
  delete(model, real, { a }) {
    const id = choose(model.live, a)
    if (id === undefined) return undefined
    model.change({ type: 'delete', id })
    return edit(real, { op: 'delete', nodeIds: [id] })
  },
  restore(model, real, { a }) {
    const id = choose(model.restorable, a)
    if (id === undefined) return undefined
    model.change({ type: 'restore', id })
    return edit(real, { op: 'restore', nodeIds: [id] })
  },
  undo(model, { session }) {
    return agree(model.undo(), session.undo())
  },
  redo(model, { session }) {
    return agree(model.redo(), session.redo())
  },
  rename(model, { session }, { a, flag }) {
    const name = flag ? null : `name ${a % 3}`
    model.change({ type: 'name', name })
    return session.rename(name)
  },
  reopen(_model, real) {
    return real.reopen()
  },
}

/** Growing and taking back are what makes the other commands meet each other. */
const WEIGHTS: Readonly<Record<string, number>> = { append: 6, appendElsewhere: 2, undo: 4, redo: 3 }

export function treeCommands(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const pick = fc.record({ a: fc.nat(1000), b: fc.nat(1000), flag: fc.boolean() })
  const commands = Object.keys(ACTS).flatMap((name) =>
    Array.from({ length: WEIGHTS[name] ?? 1 }, () => pick.map((picked) => command(name, picked))),
  )
  return fc.commands(commands, { maxCommands, size: 'max' })
}

function command(name: string, pick: Pick): Command {
  return {
    check: () => true,
    async run(model, real) {
      await ACTS[name]!(model, real, pick)
      expectLook(real.session.tree, model.look())
      expect(real.session.leafId).toBe(model.leaf)
    },
    toString: () => `${name}(${pick.a},${pick.b},${pick.flag})`,
  }
}

async function append(
  model: TreeModel,
  real: RealSession,
  parent: string | null,
  options: { parentId?: string | null },
) {
  const id = `n${real.made++}`
  model.change({ type: 'append', id, parent }, id)
  await real.session.append(user(id, id), options)
}

async function edit({ session }: RealSession, operation: Parameters<Session['edit']>[0]['operations'][number]) {
  await session.edit({ operations: [operation] })
}

/** Done by both, or refused by both. */
async function agree(isPossible: boolean, doing: Promise<unknown>): Promise<void> {
  const error = await doing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (isPossible) expect(error).toBeUndefined()
  else expect(error).toBeInstanceOf(TreelineError)
}

function choose<T>(items: readonly T[], n: number): T | undefined {
  return items[n % Math.max(1, items.length)]
}
