import type { Routes, SessionSummary } from '@treeline/protocol'
import type { ListOptions } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import { lookAround } from './look-around.ts'
import { toListed } from './summary.ts'

type Sort = Parameters<Handler<Routes['listSessions']>>[1]['query']['sort']

const ORDERS: Readonly<Record<Sort, Pick<ListOptions, 'order' | 'reversed'>>> = {
  '-updatedAt': { order: 'active' },
  updatedAt: { order: 'active', reversed: true },
  '-createdAt': { order: 'created' },
  createdAt: { order: 'created', reversed: true },
  title: { order: 'name' },
}

/** From the index: no log is opened, however many there are. */
export const listSessions: Handler<Routes['listSessions']> = async (services, { query }) => {
  const { index } = services
  const { limit, cursor, q, tag, starred, archived, empty, sort } = query
  const refreshed = await lookAround(services)
  const { sessions, next } = await index.list({
    ...ORDERS[sort],
    match: q,
    tag,
    pinned: starred,
    archived,
    empty,
    limit,
    after: cursor,
    refreshed,
  })
  const items = sessions.map((session) => toListed(session, services)).filter(isThere)
  return { status: 200, body: { items, nextCursor: next ?? null } }
}

function isThere(summary: SessionSummary | undefined): summary is SessionSummary {
  return summary !== undefined
}
