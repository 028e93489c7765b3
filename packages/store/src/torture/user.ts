import { type EntryDraft, TreelineError } from '@treeline/core'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import type { SessionStorage } from '../storage/storage.ts'
import type { SessionStore } from '../store.ts'
import { Ledger } from './ledger.ts'
import { HOME, readAll } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'

export type Step = readonly [name: string, take: () => Promise<void>]

/** Somebody who uses a store and writes down what was promised. Everything can be tried again with the same ids (D3). */
export class User {
  readonly ledger: Ledger
  private readonly storage: SessionStorage
  private store: SessionStore | undefined
  private readonly open = new Map<string, Session>()

  constructor(storage: SessionStorage, ledger = new Ledger()) {
    this.storage = storage
    this.ledger = ledger
  }

  async openStore(): Promise<void> {
    this.store = await openMemoryStore({ storage: this.storage, home: HOME })
  }

  async closeStore(): Promise<void> {
    await this.store?.close()
    this.store = undefined
    this.open.clear()
  }

  async create(id: string): Promise<void> {
    this.ledger.page(id)
    this.open.set(id, await this.unlessThere(id, () => this.store!.create({ id, cwd: '/work' })))
    this.ledger.page(id).isMade = true
  }

  async fork(sourceId: string, id: string): Promise<void> {
    const source = this.open.get(sourceId)!
    const { ledger } = this
    ledger.try(id, ledger.page(sourceId).attempted.values())
    const fork = await this.unlessThere(id, () => this.store!.fork(source, { id }))
    this.open.set(id, fork)
    const entries = await readAll(fork)
    const ids = entries.map((entry) => entry.id)
    ledger.keepFork(sourceId, id, ids)
  }

  /** Opens what may have been damaged by a crash: what is good in it goes on. */
  async reopen(id: string): Promise<void> {
    this.open.set(id, await this.store!.open(id, { acceptDamage: true }))
  }

  isOpen(id: string): boolean {
    return this.open.has(id)
  }

  async close(id: string): Promise<void> {
    const session = this.open.get(id)
    this.open.delete(id)
    await session?.close()
  }

  /** The first append to it migrates it. */
  async continueOld(draft: EntryDraft): Promise<void> {
    if (!this.isOpen('old')) await this.reopen('old')
    await this.append('old', draft)
  }

  async append(sessionId: string, ...drafts: readonly EntryDraft[]): Promise<void> {
    this.ledger.try(sessionId, drafts)
    await this.open.get(sessionId)!.appendAll(drafts)
    this.ledger.keep(sessionId, drafts)
  }

  async appendAtOnce(sessionId: string, ids: readonly string[]): Promise<void> {
    const session = this.open.get(sessionId)!
    const drafts = ids.map((id) => sampleDraft(id, 100))
    this.ledger.try(sessionId, drafts)
    const settled = await Promise.allSettled(drafts.map((draft) => session.append(draft)))
    settled.forEach(({ status }, i) => {
      if (status === 'fulfilled') this.ledger.keep(sessionId, [drafts[i]!])
    })
    for (const result of settled) if (result.status === 'rejected') throw result.reason
  }

  async mute(sessionId: string, id: string): Promise<void> {
    await this.open.get(sessionId)!.edit({ operations: [{ op: 'mute', nodeIds: [id] }] })
    this.ledger.page(sessionId).muted.add(id)
  }

  async label(sessionId: string, id: string, label: string): Promise<void> {
    await this.open.get(sessionId)!.setLabel(id, label)
    this.ledger.page(sessionId).labels.set(id, label)
  }

  async putBlob(fill = 7): Promise<void> {
    const bytes = new Uint8Array(5000).fill(fill)
    this.ledger.blobs.set(await this.store!.putBlob(bytes), bytes)
  }

  /** A first attempt may have come as far as making it. */
  private async unlessThere(id: string, make: () => Promise<Session>): Promise<Session> {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code !== 'id_in_use') throw error
      return this.store!.open(id)
    }
  }
}

export function imageDraft(id: string): EntryDraft {
  const data = Buffer.alloc(3000, id).toString('base64')
  const content = [{ type: 'image', data, mimeType: 'image/png' }]
  return { type: 'message', id, message: { role: 'user', content, timestamp: 0 } }
}

/** With a log large enough that its columns are saved. */
export const longDay = (user: User): readonly Step[] => [
  ['open the store', () => user.openStore()],
  ['create', () => user.create('new')],
  ['append much', () => user.append('new', sampleDraft('a1', 270_000))],
  ['close', () => user.close('new')],
  ['open again', () => user.reopen('new')],
  ['append after that', () => user.append('new', sampleDraft('a2', 200))],
  ['close again', () => user.close('new')],
  ['open once more', () => user.reopen('new')],
  ['mute', () => user.mute('new', 'a1')],
  ['close the store', () => user.closeStore()],
]

/** One thing after the other that a store is used for, by name. */
export const shortDay = (user: User): readonly Step[] => [
  ['open the store', () => user.openStore()],
  ['create', () => user.create('new')],
  ['append', () => user.append('new', sampleDraft('a1', 200))],
  ['append more', () => user.append('new', sampleDraft('a2', 3000))],
  ['append together', () => user.append('new', ...['b1', 'b2', 'b3'].map((id) => sampleDraft(id, 300)))],
  ['append at once', () => user.appendAtOnce('new', ['c1', 'c2', 'c3'])],
  ['mute', () => user.mute('new', 'a1')],
  ['label', () => user.label('new', 'a2', 'two')],
  ['append an image', () => user.append('new', imageDraft('d1'))],
  ['put a blob', () => user.putBlob()],
  ['fork', () => user.fork('new', 'fork')],
  ['append to the fork', () => user.append('fork', sampleDraft('f1', 200))],
  ['close the fork', () => user.close('fork')],
  ['open the old one', () => user.reopen('old')],
  ['append to the old one', () => user.append('old', sampleDraft('o1', 200))],
  ['append to it again', () => user.append('old', sampleDraft('o2', 200))],
  ['close', () => user.close('new')],
  ['open again', () => user.reopen('new')],
  ['append after that', () => user.append('new', sampleDraft('g1', 200))],
  ['close the store', () => user.closeStore()],
]
