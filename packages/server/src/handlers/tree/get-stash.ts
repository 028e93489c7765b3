import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { fragmentRoots, toFragments } from '../../wire/to-fragment.ts'
import { withBodies } from '../../wire/with-bodies.ts'

export const getStash: Handler<Routes['getStash']> = ({ hub }, { params }) =>
  hub.use(params.sessionId, ({ session }) =>
    withBodies(session, fragmentRoots, (tree, bodyOf) => {
      const version = session.seq
      return { status: 200, version, body: { version, fragments: toFragments(tree, bodyOf) } }
    }),
  )
