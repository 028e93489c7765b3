import { randomUUID } from 'node:crypto'
import { buildConversationHistory, type FlatEntry, firstGraphemes, getAllBranches, TreelineError } from '@treeline/core'
import { createFileStorage, type SessionStorage } from '@treeline/store'
import { type LoadOptions, loadWithLeaf } from './load-session.ts'
import { SessionWriter, type WriterOptions } from './session-writer.ts'
import { visualizeTyped } from './visualize.ts'

export interface ManagerOptions extends LoadOptions, WriterOptions {
  /** Where messages go; `console.log` by default. */
  readonly log?: ((message: string) => void) | undefined
  /** 1 by default: `append` resolves when the entry is durable. Seed 004 has 5 (P24); then `flush` or `close` makes it so. */
  readonly maxBufferSize?: number | undefined
  readonly flushIntervalMs?: number | undefined
  /** Says how many messages a branch has when it is switched to (P19). */
  readonly showCounts?: boolean | undefined
}

/** What a new entry may bring along; the rest is filled in. */
export interface NewMessage extends Pick<FlatEntry, 'type' | 'content' | 'metadata'> {
  readonly id?: string | undefined
  readonly timestamp?: number | undefined
}

export interface ListedBranch {
  /** Of the leaf. */
  readonly id: string
  readonly length: number
  /** The first 50 characters of the last message, under both names the seed has for it (P21). */
  readonly lastMessage: string
  readonly preview: string
}

/**
 * A conversation with branches in one flat file (P19–P26).
 *
 * The format has no record for where one is: readers go on from the last line. So when the current branch is not that of
 * the last line, because it was only switched to, the next `flush` or `close` says the line of its end once more (X22,
 * X23). Every reader of the format is then on that branch; one that does not know of such lines shows it twice.
 */
export class SessionManager implements AsyncDisposable {
  readonly path: string
  private readonly writer: SessionWriter
  private readonly storage: SessionStorage
  private readonly options: ManagerOptions
  private readonly log: (message: string) => void
  private readonly entries: FlatEntry[] = []
  private readonly byId = new Map<string, FlatEntry>()
  private current: string | undefined
  /** What the last line of the file, and of what waits to be written, is about. */
  private lastId: string | undefined

  constructor(path: string, options: ManagerOptions = {}) {
    const { maxBufferSize = 1, flushIntervalMs, onError, storage = createFileStorage() } = options
    this.writer = new SessionWriter(path, maxBufferSize, flushIntervalMs, { storage, onError })
    this.path = this.writer.path
    this.storage = storage
    this.options = options
    this.log = options.log ?? console.log
  }

  /** Reads the file, if there is one, and goes on from its last line (P23). Once, before anything else. */
  async load(): Promise<void> {
    if (this.entries.length > 0) throw new TreelineError('bad_request', `${this.path} is loaded already.`)
    if (!(await this.storage.exists(this.path))) {
      this.log('No existing session, starting fresh')
      return
    }
    const { entries, lastId } = await loadWithLeaf(this.path, { ...this.options, storage: this.storage })
    for (const entry of entries) this.take(entry)
    this.current = lastId
    this.lastId = lastId
    this.log(`✓ Loaded ${this.entries.length} messages`)
  }

  /** Adds a message to the current branch and resolves with its id (P24). */
  append(type: FlatEntry['type'], content: string, metadata?: FlatEntry['metadata']): Promise<string> {
    return this.add(this.current ?? null, { type, content, metadata })
  }

  /** Adds a message under any entry, makes it durable, and goes on from it (P20). */
  async createBranch(parentId: string, message: NewMessage): Promise<string> {
    this.refuseUnknown(parentId)
    if (message.id !== undefined && this.byId.has(message.id)) {
      throw new TreelineError('id_in_use', `The id ${message.id} is taken by another entry of ${this.path}.`)
    }
    const id = await this.add(parentId, message)
    await this.flush()
    return id
  }

  /** Goes on from any entry (P19, P25, X35). Durable with the next `flush`, `close` or `append`. */
  switchBranch(id: string): void {
    this.refuseUnknown(id)
    this.current = id
    const count = this.options.showCounts ? ` (${this.getHistory().length} messages)` : ''
    this.log(`✓ Switched to branch ${id}${count}`)
  }

  /** Resolves when everything so far, the current branch included, is durable. */
  flush(): Promise<void> {
    return Promise.all([this.markCurrent(), this.writer.flush()]).then(() => {})
  }

  async close(): Promise<void> {
    try {
      await this.markCurrent()
    } finally {
      await this.writer.close()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** From the root to the end of the current branch; nothing before the first message. */
  getHistory(): FlatEntry[] {
    return this.current === undefined ? [] : buildConversationHistory(this.entries, this.current)
  }

  listBranches(): ListedBranch[] {
    return getAllBranches(this.entries).map((path) => {
      const id = path.at(-1)!
      const lastMessage = firstGraphemes(this.byId.get(id)!.content, 50)
      return { id, length: path.length, lastMessage, preview: lastMessage }
    })
  }

  visualize(): string {
    return visualizeTyped(this.entries)
  }

  /** The one way anything is added (X12). */
  private async add(parentId: string | null, message: NewMessage): Promise<string> {
    const { id = randomUUID(), timestamp = Date.now(), type, content, metadata } = message
    const entry: FlatEntry = { id, parentId, timestamp, type, content, ...(metadata !== undefined && { metadata }) }
    const written = this.writer.accept(entry)
    this.take(entry)
    this.current = id
    this.lastId = id
    await written
    return id
  }

  private take(entry: FlatEntry): void {
    this.entries.push(entry)
    if (!this.byId.has(entry.id)) this.byId.set(entry.id, entry)
  }

  private async markCurrent(): Promise<void> {
    const { current } = this
    if (current === undefined || current === this.lastId) return
    this.lastId = current
    await this.writer.append(this.byId.get(current)!)
  }

  private refuseUnknown(id: string): void {
    if (this.byId.has(id)) return
    throw new TreelineError('node_not_found', `Branch ${id} not found`, { nodeIds: [id] })
  }
}
