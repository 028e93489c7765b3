import { type DurableEvent, routes } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'

export interface EditHistoryState {
  readonly events: readonly DurableEvent[]
  /** Whether the log has lines before these. */
  readonly hasEarlier: boolean
  readonly problem?: string
}

/** So many lines of the log are read at once. */
const LINES = 300

/** What was done in a session, as far back as somebody looked: from the log, whoever did it and whatever server ran then. */
export class EditHistory {
  readonly state = createStore<EditHistoryState>({ events: [], hasEarlier: false })
  private readonly session: OpenSession
  private first: number

  constructor(session: OpenSession) {
    this.session = session
    this.first = session.version
  }

  /** Gives a function that ends it. */
  follow(): () => void {
    const stop = this.session.onEvent((event) =>
      this.state.update((state) => ({ ...state, events: [...state.events, event] })),
    )
    void this.readEarlier()
    return stop
  }

  async readEarlier(): Promise<void> {
    const before = this.first
    const after = Math.max(0, before - LINES)
    try {
      const { events: earlier, oldestSeq } = await this.readLines(after, before)
      // Asked for twice in a row it is there once.
      if (this.first !== before) return
      this.first = after
      this.state.update(({ events }) => ({ events: [...earlier, ...events], hasEarlier: after > oldestSeq }))
    } catch (error) {
      this.state.update((state) => ({ ...state, problem: explainProblem(error) }))
    }
  }

  /** An answer has as many events as it has room for. */
  private async readLines(after: number, last: number) {
    const { id: sessionId, connection } = this.session
    const events: DurableEvent[] = []
    for (let afterSeq = after; ; ) {
      const query = { afterSeq, limit: LINES }
      const page = await connection.call(routes.getEvents, { params: { sessionId }, query })
      events.push(...page.events.filter(({ seq }) => seq <= last))
      afterSeq = page.events.at(-1)?.seq ?? last
      if (afterSeq >= last) return { events, oldestSeq: page.oldestSeq }
    }
  }
}
