import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Entry, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { canHold } from '../../can-hold.ts'
import { translateMessage } from '../translate-line.ts'
import { nodeToContinue } from '../written-ids.ts'
import { loadSessionMessages, readMessages } from './load-session-messages.ts'
import type { NormalizedMessage } from './normalized-message.ts'
import { isNeovateFile, type LogPlace, openLog, useStore } from './open-log.ts'

export interface JsonlLoggerOptions extends Omit<LogPlace, 'logPath'> {
  readonly filePath: string
}

/**
 * Writes messages to a session, each durable when the call resolves (N35, N38, D1). The session is opened, or begun, with
 * the first of them; `treeline` shows it like any other.
 *
 * @example
 * await using logger = new JsonlLogger({ filePath: await paths.getSessionLogPath(id) })
 * await logger.addUserMessage('Hello', id)
 */
export class JsonlLogger implements AsyncDisposable {
  /** Where the session is; of a file of Neovate's, once something was written, where it was imported to. */
  filePath: string
  private readonly options: JsonlLoggerOptions
  private opening: Promise<Opened> | undefined

  constructor(options: JsonlLoggerOptions) {
    this.filePath = options.filePath
    this.options = options
  }

  /** Appends under `parentUuid`, which must be there; `null` is a new root (X27). Safe to retry with the same uuid (D3). */
  async addMessage({ message }: { readonly message: NormalizedMessage }): Promise<NormalizedMessage> {
    const session = await this.session()
    const entries = toEntries(message)
    const { parentUuid } = message
    await session.appendAll(entries, { parentId: parentUuid && nodeToContinue(session.tree, parentUuid) })
    return message
  }

  /** Under the message at which the session goes on (N36). */
  async addUserMessage(text: string, sessionId: string): Promise<NormalizedMessage> {
    const parentUuid = await this.getLatestUuid()
    const content = [{ type: 'text', text }]
    const timestamp = new Date().toISOString()
    const message = {
      parentUuid,
      uuid: randomUUID(),
      role: 'user',
      content,
      type: 'message',
      timestamp,
      sessionId,
    } as const
    return this.addMessage({ message })
  }

  /** The message at which the session goes on, which after a fork is not the last one written (N37, X22). */
  async getLatestUuid(): Promise<string | null> {
    // To look is no reason to begin a session, or to import one.
    if (this.opening === undefined && (!existsSync(this.filePath) || isNeovateFile(this.filePath))) {
      const messages = await loadSessionMessages({ ...this.options, logPath: this.filePath })
      return messages.at(-1)?.uuid ?? null
    }
    const { tree, leafId } = await this.session()
    const node = leafId === null ? 0 : tree.columns.ownerOf(tree.ids.find(leafId))
    return node > 0 ? tree.ids.textOf(node) : null
  }

  /** Moves the place where the session goes on, durably: what is written next hangs there, whoever writes it (X31). */
  async goTo(uuid: string | null): Promise<void> {
    const session = await this.session()
    if (uuid === null) await session.resetLeaf()
    else await session.branch(nodeToContinue(session.tree, uuid))
  }

  /** All messages of all branches, whoever wrote them. */
  async readAll(): Promise<NormalizedMessage[]> {
    const session = await this.session()
    await session.refresh()
    return readMessages(session, 'all')
  }

  /** The session underneath. */
  async session(): Promise<Session> {
    this.opening ??= this.open()
    try {
      return (await this.opening).session
    } catch (error) {
      this.opening = undefined
      throw error
    }
  }

  async close(): Promise<void> {
    const { opening } = this
    this.opening = undefined
    const opened = await opening
    await opened?.session.close()
    await opened?.used[Symbol.asyncDispose]()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async open(): Promise<Opened> {
    const place = { ...this.options, logPath: this.filePath }
    const used = await useStore(place)
    try {
      const session = await openLog(used.store, place)
      this.filePath = session.path
      return { session, used }
    } catch (error) {
      await used[Symbol.asyncDispose]()
      throw error
    }
  }
}

interface Opened {
  readonly session: Session
  readonly used: AsyncDisposable
}

/** The same entries as an import would give, so that it is all one whether a message was read or written. */
function toEntries(message: NormalizedMessage): readonly Entry[] {
  if (message.parentUuid !== null && typeof message.parentUuid !== 'string') {
    throw new TreelineError(
      'validation_failed',
      `Message ${message.uuid} has no parentUuid. Give one, or null for a root.`,
    )
  }
  const json = JSON.stringify(message)
  const record = JSON.parse(json) as NormalizedMessage
  let part = 0
  const source = { record, timestamp: message.timestamp, ...(!canHold(record) && { json }) }
  return translateMessage(source, message.uuid, { ofPart: (lineId) => `${lineId}.r${++part}` })
}
