import type { Agent } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { LogRecord } from '../services.ts'
import type { Hub } from './hub.ts'
import type { LiveSession } from './live-session.ts'

export interface TitlesOptions {
  readonly agent: Agent
  readonly hub: Hub
  readonly log: (record: LogRecord) => void
}

/** Names for sessions that nobody has named, thought of once something was answered in them. Nobody waits for them. */
export class Titles {
  private readonly options: TitlesOptions
  private readonly running = new Map<string, Promise<void>>()
  private readonly closing = new AbortController()

  constructor(options: TitlesOptions) {
    this.options = options
  }

  /** Several answers that end at once make for one name. */
  think({ id, session }: LiveSession): void {
    const { agent } = this.options
    const isWanted = agent.env.settings.autoTitle && session.name === undefined && !this.closing.signal.aborted
    if (isWanted && !this.running.has(id)) this.running.set(id, this.name(id))
  }

  /** Stops what is under way: a name is a help, and without one the list shows the first prompt. */
  async close(): Promise<void> {
    this.closing.abort()
    await Promise.all(this.running.values())
  }

  private async name(sessionId: string): Promise<void> {
    const { agent, hub, log } = this.options
    try {
      await hub.use(sessionId, ({ session }) => agent.title(session, { signal: this.closing.signal }))
    } catch (error) {
      const code = error instanceof TreelineError ? error.code : 'internal'
      log({ level: 'warn', message: 'title', sessionId, code })
    } finally {
      this.running.delete(sessionId)
    }
  }
}
