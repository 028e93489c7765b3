import { routes, type TrashedSession } from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { directoryOf } from './session-directory.ts'

export interface TrashState {
  readonly status: 'loading' | 'ready'
  readonly items: readonly TrashedSession[]
  readonly nextCursor: string | null
  /** Those on their way back. */
  readonly restoring: ReadonlySet<string>
  readonly problem?: string
}

/** What is in the trash, as long as somebody looks: read again when the list of sessions changes. */
export class TrashList {
  readonly state = createStore<TrashState>({ status: 'loading', items: [], nextCursor: null, restoring: new Set() })
  private readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Gives a function that ends it. */
  follow(): () => void {
    void this.read()
    return this.connection.stream.followList(() => void this.read())
  }

  async more(): Promise<void> {
    const { nextCursor } = this.state.get()
    if (nextCursor === null) return
    await this.attempt(async () => {
      const page = await this.connection.call(routes.listTrash, { query: { cursor: nextCursor } })
      this.state.update((state) => ({
        ...state,
        items: [...state.items, ...page.items],
        nextCursor: page.nextCursor,
      }))
    })
  }

  /** Whether it is back. */
  async restore({ sessionId, trashId }: TrashedSession): Promise<boolean> {
    this.setRestoring(trashId, true)
    const isBack = await this.attempt(async () => {
      await directoryOf(this.connection).restore(sessionId, trashId)
      this.state.update((state) => ({ ...state, items: state.items.filter((one) => one.trashId !== trashId) }))
    })
    this.setRestoring(trashId, false)
    return isBack
  }

  private async read(): Promise<void> {
    await this.attempt(async () => {
      const { items, nextCursor } = await this.connection.call(routes.listTrash, {})
      this.state.update((state) => ({ ...state, status: 'ready', items, nextCursor }))
    })
  }

  /** What goes wrong is said in the dialog itself: what stands behind it would not be seen. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      this.state.update(({ problem: _, ...state }) => state)
      return true
    } catch (error) {
      this.state.update((state) => ({ ...state, status: 'ready', problem: explainProblem(error) }))
      return false
    }
  }

  private setRestoring(trashId: string, isRestoring: boolean): void {
    this.state.update((state) => {
      const restoring = new Set(state.restoring)
      if (isRestoring) restoring.add(trashId)
      else restoring.delete(trashId)
      return { ...state, restoring }
    })
  }
}
