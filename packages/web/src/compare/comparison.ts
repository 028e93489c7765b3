import { type Branch, type Compare, routes } from '@treeline/protocol'
import { RowWindow } from '../chat/row-window.ts'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'
import type { CompareRequest } from './compare-state.ts'

export interface ComparisonState {
  readonly branches: readonly Branch[]
  readonly left: string | undefined
  readonly right: string | undefined
  readonly compared: Compare | undefined
  readonly isBusy: boolean
  readonly problem?: string
}

/** Two branches side by side: which there are, which two were chosen, and how they differ. */
export class Comparison {
  readonly state = createStore<ComparisonState>({
    ...{ branches: [], left: undefined, right: undefined, compared: undefined, isBusy: true },
  })
  readonly rows = new RowWindow()
  readonly session: OpenSession
  private asking = new AbortController()

  constructor(session: OpenSession) {
    this.session = session
  }

  /** Chooses what was not named: the trunk, and the branch where something was said last beside it. */
  async begin({ left, right }: CompareRequest): Promise<void> {
    try {
      const params = { sessionId: this.session.id }
      const branches = await this.session.connection.call(routes.getBranches, { params })
      const byAge = branches.toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1))
      const one = left ?? branches.find(({ isTrunk }) => isTrunk)?.leafId ?? byAge[0]?.leafId
      const two = right ?? byAge.find(({ leafId, isTrunk }) => leafId !== one && !isTrunk)?.leafId
      this.state.update((state) => ({ ...state, branches, left: one, right: two, isBusy: false }))
      await this.compare()
    } catch (error) {
      this.fail(error)
    }
  }

  async choose(side: 'left' | 'right', nodeId: string): Promise<void> {
    this.state.update((state) => ({ ...state, [side]: nodeId }))
    await this.compare()
  }

  /** Said in the dialog itself: what stands behind it would not be seen. */
  tell(error: unknown): void {
    this.state.update((state) => ({ ...state, isBusy: false, problem: explainProblem(error) }))
  }

  close(): void {
    this.asking.abort()
  }

  private async compare(): Promise<void> {
    const { left, right } = this.state.get()
    if (left === undefined || right === undefined || left === right) {
      this.state.update((state) => ({ ...state, compared: undefined }))
      return
    }
    this.asking.abort()
    this.asking = new AbortController()
    const { signal } = this.asking
    this.state.update((state) => ({ ...state, isBusy: true }))
    try {
      const params = { sessionId: this.session.id }
      const compared = await this.session.connection.call(routes.compare, { params, query: { left, right }, signal })
      if (signal.aborted) return
      this.state.update(({ problem: _, ...state }) => ({ ...state, compared, isBusy: false }))
    } catch (error) {
      if (!signal.aborted) this.fail(error)
    }
  }

  private fail(error: unknown): void {
    this.state.update((state) => ({ ...state, compared: undefined }))
    this.tell(error)
  }
}
