import { openFileStore, type SessionStore } from '@treeline/store'
import type { CompressionPolicy } from './compression.ts'
import { type Forked, fork } from './fork.ts'
import { type Compact, History } from './history.ts'
import { JsonlLogger } from './jsonl-logger.ts'
import { loadSessionMessages } from './load-session-messages.ts'
import type { Message, NormalizedMessage } from './normalized-message.ts'
import { openLog } from './open-log.ts'
import { createPaths, type Paths } from './paths.ts'
import { Session } from './session.ts'
import { SessionConfigManager } from './session-config-manager.ts'

export interface ProjectOptions {
  /** The session to resume. Goes before `continue` (N41). */
  readonly sessionId?: string | undefined
  /** In place of an id: the file of a session. One of Neovate's is imported. */
  readonly logPath?: string | undefined
  /** The session of the project that was active last; a new one when there is none. */
  readonly continue?: boolean | undefined
  readonly context?: { readonly cwd?: string | undefined; readonly home?: string | undefined } | undefined
  readonly compact?: Compact | undefined
  readonly policy?: CompressionPolicy | undefined
  readonly log?: ((line: string) => void) | undefined
}

/**
 * A session with its history, its log and its settings, put together (N7). Every message is durable before the call that
 * added it resolves; closing writes nothing more (N9).
 *
 * @example
 * await using project = await Project.open({ context: { cwd: process.cwd() } })
 * await project.send({ role: 'user', content: 'Hello' })
 */
export class Project implements AsyncDisposable {
  readonly session: Session
  readonly paths: Paths
  readonly config: SessionConfigManager
  private readonly store: SessionStore
  private readonly logger: JsonlLogger
  private readonly log: ((line: string) => void) | undefined

  private constructor(parts: Pick<Project, 'session' | 'paths' | 'config'> & Hidden) {
    this.session = parts.session
    this.paths = parts.paths
    this.config = parts.config
    this.store = parts.store
    this.logger = parts.logger
    this.log = parts.log
  }

  static async open(options: ProjectOptions = {}): Promise<Project> {
    const { cwd = process.cwd(), home } = options.context ?? {}
    const store = await openFileStore({ home })
    try {
      const paths = createPaths({ store, home, cwd })
      const { id, logPath } = await findLogPath(store, paths, cwd, options)
      const logger = new JsonlLogger({ filePath: logPath, store, cwd })
      const onMessage = (message: NormalizedMessage) => logger.addMessage({ message: { ...message, sessionId: id } })
      const messages = await loadSessionMessages({ logPath, store })
      const { compact, policy, log } = options
      const session = new Session({ id, history: new History({ messages, onMessage, compact, policy }) })
      const config = new SessionConfigManager({ logPath, store, cwd })
      return new Project({ session, paths, config, store, logger, log })
    } catch (error) {
      await store.close()
      throw error
    }
  }

  /** Adds a message at the place where the conversation goes on. */
  send(message: Message, uuid?: string): Promise<NormalizedMessage> {
    return this.session.history.addMessage(message, uuid)
  }

  /** All messages of all branches. */
  messages(): Promise<NormalizedMessage[]> {
    return this.logger.readAll()
  }

  /** Goes back to a message of any branch. Survives a restart, and counts for everybody who writes here (X31). */
  async fork(uuid: string): Promise<Forked | undefined> {
    const forked = fork(await this.messages(), uuid, this.log)
    if (forked === undefined) return undefined
    await this.logger.goTo(forked.parentUuid)
    this.session.history.messages = forked.messages
    return forked
  }

  async close(): Promise<void> {
    await this.logger.close()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

interface Hidden {
  readonly store: SessionStore
  readonly logger: JsonlLogger
  readonly log: ((line: string) => void) | undefined
}

/** Resume, else continue, else begin (N41). One that is to be resumed must be there. */
async function findLogPath(
  store: SessionStore,
  paths: Paths,
  cwd: string,
  { sessionId, logPath, continue: goesOn }: ProjectOptions,
): Promise<{ readonly id: string; readonly logPath: string }> {
  const id = sessionId ?? (goesOn ? await paths.getLatestSessionId() : undefined)
  const open = () => (id === undefined ? store.create({ cwd }) : store.open(id, { readOnly: true }))
  await using session = logPath === undefined ? await open() : await openLog(store, { logPath, cwd })
  return { id: session.id, logPath: session.path }
}
