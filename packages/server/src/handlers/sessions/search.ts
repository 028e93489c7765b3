import { idSchema, type Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { findHits } from '../find-hits.ts'
import { lookAround } from './look-around.ts'

/** Nodes of all sessions, also of other tools’; what no client could ask for by its id is left out. */
export const search: Handler<Routes['search']> = async ({ index, list }, { query, signal }) => {
  const { q, role, cursor, limit } = query
  await lookAround({ index, list })
  const isAskable = (sessionId: string) => idSchema.safeParse(sessionId).success
  return { status: 200, body: await findHits(index, q, { role, after: cursor, limit, signal }, isAskable) }
}
