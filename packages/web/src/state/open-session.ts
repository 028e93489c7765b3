import {
  type BodyOf,
  type ChatEvent,
  type ChatMessageNode,
  type ColumnsTree,
  type DurableEvent,
  type EditOp,
  type EditResult,
  type Fragment,
  RefusedError,
  type Routes,
  routes,
  type SkeletonNode,
} from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { Approvals } from './approvals.ts'
import { Bodies } from './bodies.ts'
import { LiveTexts } from './live-texts.ts'
import { createStore, type Store } from './store.ts'
import { TreeModel } from './tree-model.ts'

export interface OpenState {
  readonly status: 'loading' | 'ready' | 'gone' | 'failed'
  /** Goes up with every change of tree, bodies or head: what is drawn from them is looked at again. */
  readonly revision: number
  readonly title: string
  readonly mode: 'tree' | 'linear'
  readonly problem?: string
}

const PAGE = 200
const REACH_MS = 2_000

/**
 * A session as this page has it: the tree without texts, texts of what was looked at, and what the stream adds. The
 * server's word counts; what is shown before it has spoken is taken back when it says no.
 */
export class OpenSession {
  readonly id: string
  readonly texts = new LiveTexts()
  readonly bodies = new Bodies()
  readonly approvals = new Approvals()
  readonly connection: Connection
  readonly state: Store<OpenState>
  tree: TreeModel
  fragments: readonly Fragment[] = []
  version = 0
  private readonly store
  private stop: () => void = () => {}
  private readonly wanted = new Map<string, 'full' | 'skeleton'>()
  private isAsking = false
  private readonly listeners = new Set<(event: DurableEvent) => void>()

  constructor(connection: Connection, id: string) {
    this.connection = connection
    this.id = id
    this.tree = new TreeModel(EMPTY)
    this.store = createStore<OpenState>({ status: 'loading', revision: 0, title: '', mode: 'tree' })
    this.state = this.store
  }

  /** Reads the tree and follows it from there. Again when too much was missed. */
  async load(): Promise<void> {
    this.stop()
    try {
      const head = (await this.connection.call(routes.getTree, {
        params: { sessionId: this.id },
        query: { view: 'columns' },
      })) as ColumnsTree
      this.tree = new TreeModel(head)
      this.fragments = head.fragments
      this.version = head.version
      this.stop = this.connection.stream.subscribe({
        sessionId: this.id,
        afterSeq: head.version,
        epoch: head.epoch,
        onEvents: (events) => this.take(events),
        onSnapshotRequired: () => void this.load(),
      })
      this.change({ status: 'ready', title: head.title, mode: head.mode })
      void this.recallApprovals()
    } catch (error) {
      this.change({ status: 'failed', problem: explainProblem(error) })
    }
  }

  close(): void {
    this.stop()
  }

  /** Told of each event that lasts, after it was taken in. Gives a function that ends it. */
  onEvent(listener: (event: DurableEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  node(nodeId: string): ChatMessageNode | undefined {
    return this.bodies.get(nodeId)
  }

  /** Has what nodes say fetched, many with one request. Those on screen ask with every drawing; it costs nothing. */
  want(nodeIds: Iterable<string>, view: 'full' | 'skeleton' = 'full'): void {
    for (const id of nodeIds) {
      const isThere = view === 'full' ? this.bodies.get(id) !== undefined : this.bodies.preview(id) !== undefined
      if (!isThere && this.wanted.get(id) !== 'full') this.wanted.set(id, view)
    }
    if (!this.isAsking && this.wanted.size > 0) {
      this.isAsking = true
      queueMicrotask(() => void this.fetchWanted())
    }
  }

  /** Nodes as the server has them, without those that it does not know: what was read before is not asked for again. */
  async read(nodeIds: readonly string[]): Promise<readonly ChatMessageNode[]> {
    const missing = nodeIds.filter((id) => this.bodies.get(id) === undefined)
    const fetched = new Map<string, ChatMessageNode>()
    for (let from = 0; from < missing.length; from += PAGE) {
      const { nodes } = await this.connection.call(routes.getNodes, {
        params: { sessionId: this.id },
        query: { ids: missing.slice(from, from + PAGE).join(','), view: 'full' },
      })
      for (const node of nodes as readonly ChatMessageNode[]) fetched.set(node.id, node)
    }
    return nodeIds.flatMap((id) => this.bodies.get(id) ?? fetched.get(id) ?? [])
  }

  /** One edit. What it changed comes with its events, which are here by then. Throws what the server says against it. */
  async edit(operations: EditOp[], baseVersion?: number): Promise<EditResult> {
    const done = await this.connection.call(routes.putEdit, {
      params: { sessionId: this.id },
      body: { operations, ...(baseVersion !== undefined && { baseVersion }) },
    })
    await this.reach(done.version)
    return done
  }

  /** Shown at once; taken back when the server refuses. */
  async setEnabled(nodeIds: readonly string[], isEnabled: boolean): Promise<void> {
    const before = nodeIds.map((id) => [id, !this.isMuted(id)] as const)
    for (const id of nodeIds) this.tree.setEnabled(id, isEnabled)
    this.change({})
    try {
      await this.connection.call(routes.putNodesState, {
        params: { sessionId: this.id },
        body: { nodes: nodeIds.map((id) => ({ id, isEnabled })) },
      })
    } catch (error) {
      for (const [id, was] of before) this.tree.setEnabled(id, was)
      this.change({})
      throw error
    }
  }

  /** Shown at once; taken back when the server refuses. */
  async setActiveLeaf(leafId: string | null, resolve: 'exact' | 'descend' = 'exact'): Promise<void> {
    const before = this.tree.activeLeafId
    if (resolve === 'exact') this.tree.activeLeafId = leafId
    this.change({})
    try {
      await this.connection.call(routes.putActiveLeaf, {
        params: { sessionId: this.id },
        body: { leafId, resolve },
      })
    } catch (error) {
      if (this.tree.activeLeafId === leafId) this.tree.activeLeafId = before
      this.change({})
      throw error
    }
  }

  isMuted(nodeId: string): boolean {
    const place = this.tree.place(nodeId)
    return place >= 0 && this.tree.has(place, 1)
  }

  /** A fragment of the stash as it is called now. */
  setFragment(fragment: Fragment): void {
    this.fragments = this.fragments.map((one) => (one.fragmentId === fragment.fragmentId ? fragment : one))
    this.change({})
  }

  /** Answers whether a tool may run. */
  async resolveApproval(approvalId: string, body: BodyOf<Routes['resolveApproval']>): Promise<void> {
    try {
      await this.connection.call(routes.resolveApproval, { params: { sessionId: this.id, approvalId }, body })
    } catch (error) {
      if (!(error instanceof RefusedError) || error.problem.code !== 'approval_not_found') throw error
      // Somebody else was quicker, or what asked has ended.
      this.approvals.forget(approvalId)
      this.change({})
    }
  }

  /** Until what the server knew then is known here; not for ever, as the stream may be down. */
  private async reach(version: number): Promise<void> {
    if (this.version >= version) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const stop = this.onEvent(({ seq }) => seq >= version && end())
      const timer = setTimeout(end, REACH_MS)
    })
  }

  private async recallApprovals(): Promise<void> {
    try {
      await this.approvals.recall(this.connection, this.id, this.version)
      this.change({})
    } catch (error) {
      this.change({ problem: explainProblem(error) })
    }
  }

  private async fetchWanted(): Promise<void> {
    try {
      while (this.wanted.size > 0) {
        const [[, view] = [undefined, 'full' as const]] = this.wanted
        const ids = [...this.wanted].flatMap(([id, kind]) => (kind === view ? [id] : [])).slice(0, PAGE)
        for (const id of ids) this.wanted.delete(id)
        const { nodes } = await this.connection.call(routes.getNodes, {
          params: { sessionId: this.id },
          query: { ids: ids.join(','), view },
        })
        for (const node of nodes) {
          if (view === 'full') this.bodies.set(node as ChatMessageNode)
          else this.bodies.setPreview(node as SkeletonNode)
          // Columns come without opening what was said, which alone tells.
          if (node.status === 'error') this.tree.setFailed(node.id)
        }
        this.change({})
      }
    } catch (error) {
      this.change({ problem: explainProblem(error) })
    } finally {
      this.isAsking = false
    }
  }

  private take(events: readonly ChatEvent[]): void {
    for (const event of events) {
      if (event.seq === null) {
        const missing = this.texts.apply(event)
        if (missing !== undefined) this.connection.stream.resync(this.id, missing.nodeId, missing.from)
      } else this.takeDurable(event)
    }
    if (events.some(({ seq }) => seq !== null)) this.change({})
    for (const event of events) if (event.seq !== null) for (const listener of [...this.listeners]) listener(event)
  }

  private takeDurable(event: DurableEvent): void {
    this.version = event.seq
    this.tree.apply(event)
    this.approvals.apply(event)
    switch (event.type) {
      case 'node.created':
        this.bodies.set(event.node)
        return
      case 'node.completed':
      case 'node.failed':
        this.bodies.set(event.node)
        this.texts.end(event.node.id)
        return
      case 'node.metadata.updated':
        this.bodies.update(event.id, { metadata: event.metadata })
        return
      case 'tree.grafted':
      case 'nodes.restored':
        for (const node of event.nodes) if (node.contentTruncated !== true) this.bodies.set(node)
        this.fragments = this.fragments.filter(({ rootId }) => this.tree.fragments.includes(this.tree.place(rootId)))
        return
      case 'tree.pruned':
        this.fragments = [...this.fragments, ...event.fragments]
        return
      case 'nodes.deleted':
        this.fragments = this.fragments.filter(({ rootId }) => !event.ids.includes(rootId))
        return
      case 'session.updated': {
        const { title, mode } = event.patch
        this.change({
          ...(typeof title === 'string' && { title }),
          ...((mode === 'tree' || mode === 'linear') && { mode }),
        })
        return
      }
      case 'session.deleted':
        this.change({ status: 'gone' })
        return
      default:
        return
    }
  }

  private change(change: Partial<OpenState>): void {
    this.store.update((state) => ({ ...state, ...change, revision: state.revision + 1 }))
  }
}

const EMPTY = {
  rootNodeIds: [],
  activeLeafId: null,
  fragments: [],
  columns: { ids: '', parents: [], roles: '', flags: [], times: [], reordered: {} },
}
