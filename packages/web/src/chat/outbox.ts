import { newEntryId } from '@treeline/core'
import { type GenerateSpec, routes } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { type Attachment, toContent } from './attachments.ts'
import { isBusy, leafState } from './leaf-state.ts'
import { newestLeaf } from './trunk-rows.ts'

/** Something said that the server does not have yet. */
export interface Outgoing {
  /** Of its node to be: sent again it is the same one (D3). */
  readonly id: string
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly specs: GenerateSpec[]
  readonly state: 'waiting' | 'sending' | 'failed'
  readonly problem?: string
}

/** What was said goes out in its order, each when the answer before it is done. */
export class Outbox {
  readonly waiting = createStore<readonly Outgoing[]>([])
  private readonly session: OpenSession

  constructor(session: OpenSession) {
    this.session = session
    session.state.subscribe(() => this.flush())
  }

  add({ text, attachments, specs }: Pick<Outgoing, 'text' | 'attachments' | 'specs'>): void {
    const { tree } = this.session
    const id = newEntryId((taken) => tree.place(taken) >= 0)
    this.waiting.update((all) => [...all, { id, text, attachments, specs, state: 'waiting' }])
    this.flush()
  }

  /** Whatever goes on at the end of the trunk. */
  sendNow(id: string): void {
    const found = this.waiting.get().find((one) => one.id === id)
    if (found !== undefined && found.state !== 'sending') void this.send(found)
  }

  /** Gives it back to be changed. */
  take(id: string): Outgoing | undefined {
    const found = this.waiting.get().find((one) => one.id === id)
    this.waiting.update((all) => all.filter((one) => one.id !== id))
    return found
  }

  private flush(): void {
    const [next] = this.waiting.get()
    if (next?.state !== 'waiting') return
    const place = this.leafPlace()
    const node = place < 0 ? undefined : this.session.node(this.session.tree.ids[place]!)
    if (!isBusy(leafState(this.session.tree, place, node))) void this.send(next)
  }

  private leafPlace(): number {
    const { tree, state } = this.session
    return state.get().mode === 'linear' ? newestLeaf(tree) : tree.place(tree.activeLeafId)
  }

  private async send(outgoing: Outgoing): Promise<void> {
    const { session } = this
    this.put({ ...outgoing, state: 'sending' })
    const isLinear = session.state.get().mode === 'linear'
    try {
      await session.connection.call(routes.postMessage, {
        params: { sessionId: session.id },
        body: {
          ...(!isLinear && { parentId: session.tree.activeLeafId }),
          nodeId: outgoing.id,
          content: toContent(outgoing.text, outgoing.attachments),
          generate: outgoing.specs,
        },
      })
      this.waiting.update((all) => all.filter(({ id }) => id !== outgoing.id))
      this.flush()
    } catch (error) {
      this.put({ ...outgoing, state: 'failed', problem: explainProblem(error) })
    }
  }

  private put(outgoing: Outgoing): void {
    this.waiting.update((all) => all.map((one) => (one.id === outgoing.id ? outgoing : one)))
  }
}
