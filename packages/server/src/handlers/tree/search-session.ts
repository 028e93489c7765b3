import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { findHits } from '../find-hits.ts'

export const searchSession: Handler<Routes['searchSession']> = ({ index, hub }, { params, query, signal }) =>
  hub.use(params.sessionId, async ({ session }) => {
    const { q, role, enabled, cursor, limit } = query
    const muted = enabled === undefined ? undefined : !enabled
    const asked = { sessionId: session.id, role, muted, after: cursor, limit, signal, fresh: true }
    return { status: 200, version: session.seq, body: await findHits(index, q, asked) }
  })
