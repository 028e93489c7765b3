import type { Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { fragmentRoots, toFragments } from '../../wire/to-fragment.ts'
import { withBodies } from '../../wire/with-bodies.ts'

export const getStash: Handler<Routes['getStash']> = ({ hub }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    return withBodies(session, fragmentRoots, (tree, bodyOf) => {
      const version = session.seq
      return { status: 200, version, body: { version, fragments: toFragments(tree, bodyOf) } }
    })
  })
