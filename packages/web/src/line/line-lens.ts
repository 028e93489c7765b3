import type { ContextPreview, EditOp } from '@treeline/protocol'
import { chatOf } from '../chat/chat-state.ts'
import { RowWindow } from '../chat/row-window.ts'
import { newestLeaf } from '../chat/trunk-rows.ts'
import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { askForLine } from './ask-for-line.ts'
import type { Changes } from './line-rows.ts'

export interface LensState {
  /** What would be sent as things are. */
  readonly now: ContextPreview | undefined
  /** What would be sent with the changes that are only thought of. */
  readonly whatIf: ContextPreview | undefined
  readonly changes: Changes
  /** The node it is asked for; `undefined` for where the conversation goes on. */
  readonly leafId: string | undefined
  readonly isBusy: boolean
  readonly problem?: string
}

const SETTLE_MS = 300
const NO_CHANGES: Changes = new Map()

/**
 * What the model would get, by the server's own code. Asked anew when the tree has changed and has been still for a moment,
 * so never for a token. Changes are tried on the line alone: nothing is written until they are applied.
 */
export class LineLens {
  readonly state = createStore<LensState>({
    ...{ now: undefined, whatIf: undefined, leafId: undefined, isBusy: false },
    changes: NO_CHANGES,
  })
  readonly rows = new RowWindow({ sticks: false })
  readonly session: OpenSession
  private asking = new AbortController()
  private settling: ReturnType<typeof setTimeout> | undefined
  private asked = ''

  constructor(session: OpenSession) {
    this.session = session
  }

  /** Gives a function that ends it. */
  follow(): () => void {
    this.asked = ''
    this.lookAgain(0)
    const stops = [
      this.session.state.subscribe(() => this.lookAgain(SETTLE_MS)),
      chatOf(this.session).choice.subscribe(() => this.lookAgain(0)),
    ]
    return () => {
      clearTimeout(this.settling)
      this.settling = undefined
      this.asking.abort()
      for (const stop of stops) stop()
    }
  }

  /** Of another node, or of the end of the trunk again. */
  lookAt(leafId: string | undefined): void {
    if (this.state.get().leafId === leafId) return
    this.state.update((state) => ({ ...state, leafId, changes: NO_CHANGES, whatIf: undefined }))
    this.lookAgain(0)
  }

  /** Tries what would be if a node were sent, or not. */
  tryOut(nodeId: string, isSent: boolean): void {
    const changes = new Map(this.state.get().changes)
    this.rows.release()
    if (this.session.isMuted(nodeId) === isSent) changes.set(nodeId, isSent ? 'unmute' : 'mute')
    else changes.delete(nodeId)
    this.state.update((state) => ({ ...state, changes, ...(changes.size === 0 && { whatIf: undefined }) }))
    this.lookAgain(0)
  }

  discard(): void {
    this.state.update((state) => ({ ...state, changes: NO_CHANGES, whatIf: undefined }))
    this.lookAgain(0)
  }

  /** Does what was tried, in one edit. Gives what takes it back. */
  async apply(): Promise<string | null> {
    const { changes } = this.state.get()
    const muted = idsOf(changes, 'mute')
    const unmuted = idsOf(changes, 'unmute')
    const operations: EditOp[] = []
    if (muted.length > 0) operations.push({ op: 'setEnabled', nodeIds: muted, isEnabled: false })
    if (unmuted.length > 0) operations.push({ op: 'setEnabled', nodeIds: unmuted, isEnabled: true })
    const { opId } = await this.session.edit(operations)
    this.discard()
    return opId
  }

  /** The path that the line is made of, from the top down. */
  path(): readonly string[] {
    const { tree } = this.session
    const leafId = this.leafAsked() ?? tree.activeLeafId
    return tree.pathTo(tree.place(leafId)).map((place) => tree.ids[place]!)
  }

  private leafAsked(): string | undefined {
    const { leafId } = this.state.get()
    const { tree, state } = this.session
    const place = leafId === undefined ? -1 : tree.place(leafId)
    // What was deleted since has no line any more.
    if (place >= 0 && !tree.has(place, NodeFlag.deleted)) return leafId
    // A plain chat goes on from what was said last, wherever the trunk ends.
    return state.get().mode === 'linear' ? tree.ids[newestLeaf(tree)] : undefined
  }

  private lookAgain(waitMs: number): void {
    clearTimeout(this.settling)
    this.settling = setTimeout(() => void this.ask(), waitMs)
  }

  private async ask(): Promise<void> {
    const { session } = this
    if (session.state.get().status !== 'ready') return
    const changes = this.changesThatCount()
    const [model] = chatOf(session).choice.get().models
    const leafId = this.leafAsked()
    const query = { ...(leafId !== undefined && { leafId }), ...(model !== undefined && { model }) }
    const asked = JSON.stringify([session.version, session.state.get().mode, query, [...changes]])
    if (asked === this.asked) return
    this.asked = asked
    this.asking.abort()
    this.asking = new AbortController()
    const { signal } = this.asking
    this.state.update((state) => ({ ...state, isBusy: true }))
    const tried = { mute: idsOf(changes, 'mute').join(','), unmute: idsOf(changes, 'unmute').join(',') }
    try {
      const [{ preview: now, problem }, whatIf] = await Promise.all([
        askForLine(session, query, signal),
        changes.size === 0 ? undefined : askForLine(session, { ...query, ...withoutEmpty(tried) }, signal),
      ])
      if (signal.aborted) return
      this.state.update(({ problem: _, ...state }) => ({
        ...state,
        ...{ now, whatIf: whatIf?.preview, changes, isBusy: false },
        ...(problem !== undefined && { problem }),
      }))
    } catch (error) {
      if (signal.aborted) return
      this.asked = ''
      this.state.update((state) => ({ ...state, isBusy: false, problem: explainProblem(error) }))
    }
  }

  /** Somebody else may have done some of it meanwhile. */
  private changesThatCount(): Changes {
    const { changes } = this.state.get()
    const left = [...changes].filter(([id, how]) => this.session.isMuted(id) === (how === 'unmute'))
    return left.length === changes.size ? changes : new Map(left)
  }
}

function idsOf(changes: Changes, how: 'mute' | 'unmute'): string[] {
  return [...changes].flatMap(([id, wanted]) => (wanted === how ? [id] : []))
}

function withoutEmpty<T extends Record<string, string>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<T>
}

const lenses = new WeakMap<OpenSession, LineLens>()

export function lensOf(session: OpenSession): LineLens {
  const lens = lenses.get(session) ?? new LineLens(session)
  lenses.set(session, lens)
  return lens
}
