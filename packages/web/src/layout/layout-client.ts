import type { Layout } from './lay-out.ts'
import type { LayoutAnswer, LayoutRequest } from './messages.ts'

/** What of a Worker is needed. */
export interface LayoutPort {
  addEventListener(type: 'message', listen: (event: { readonly data: LayoutAnswer }) => void): void
  postMessage(request: LayoutRequest): void
}

export interface LayoutClientOptions {
  readonly port: LayoutPort
  readonly onLayout: (layout: Layout, revision: number) => void
  /** The worker lost track: send it the whole tree. */
  readonly onBehind: () => void
}

export interface LayoutClient {
  /** Sends copies, which of typed arrays are cheap: what is sent can be kept and sent again. Returns the revision. */
  send(changes: Omit<LayoutRequest, 'revision'>): number
}

/** Passes layouts on in the order in which they were asked for, and none of a tree that was replaced since. */
export function createLayoutClient({ port, onLayout, onBehind }: LayoutClientOptions): LayoutClient {
  let revision = 0
  let treeRevision = 0
  let shownRevision = 0
  port.addEventListener('message', ({ data: answer }) => {
    if (answer.revision < treeRevision || answer.revision <= shownRevision) return
    if (answer.type === 'behind') {
      onBehind()
      return
    }
    shownRevision = answer.revision
    onLayout(answer.layout, answer.revision)
  })
  return {
    send(changes) {
      revision++
      if (changes.tree) treeRevision = revision
      port.postMessage({ ...changes, revision })
      return revision
    },
  }
}
