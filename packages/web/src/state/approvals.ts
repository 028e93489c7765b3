import { type DurableEvent, routes } from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'

/** A tool that waits until somebody says whether it may run. */
export type Approval = Extract<DurableEvent, { type: 'approval.requested' }>

/** How far back a question can lie that still waits. */
const LOOK_BACK = 500

/** Questions of a session that nobody has answered, oldest first. */
export class Approvals {
  waiting: readonly Approval[] = []

  apply(event: DurableEvent): void {
    if (event.type === 'approval.requested') this.waiting = [...this.without(event.approvalId), event]
    else if (event.type === 'approval.resolved') this.forget(event.approvalId)
  }

  /** Answered, or nobody asks any more. */
  forget(approvalId: string): void {
    if (this.waiting.some((one) => one.approvalId === approvalId)) this.waiting = this.without(approvalId)
  }

  /** Those from before this page was opened: only while something is at work can a question still wait. */
  async recall({ call }: Connection, sessionId: string, version: number): Promise<void> {
    const params = { sessionId }
    const running = await call(routes.getGenerations, { params })
    if (running.length === 0) return
    const query = { afterSeq: Math.max(0, version - LOOK_BACK), limit: LOOK_BACK }
    const { events } = await call(routes.getEvents, { params, query })
    const since = this.waiting
    this.waiting = []
    for (const event of [...events, ...since]) this.apply(event)
  }

  private without(approvalId: string): readonly Approval[] {
    return this.waiting.filter((one) => one.approvalId !== approvalId)
  }
}
