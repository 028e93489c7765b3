import { TreelineError } from '@treeline/core'
import type { QueryOf, Routes } from '@treeline/protocol'
import { type Asking, type Handler, isKnown, type Reply } from '../../http/handler.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import type { Services } from '../../services.ts'
import type { ListOptions } from '../../wire/list-nodes.ts'
import { showColumns } from './columns-view.ts'
import { readCursor } from './cursor.ts'
import { type NodesAsked, showFull, showSkeleton } from './nodes-view.ts'
import { seenAt } from './seen-at.ts'
import { streamSkeleton } from './skeleton-stream.ts'
import { showTrunk } from './trunk-view.ts'

type Query = QueryOf<Routes['getTree']>
type TreeReply = Reply<Routes['getTree']>

export const getTree: Handler<Routes['getTree']> = async (services, asking) => {
  const { query, params } = asking
  refuseMixture(services, query)
  if (query.stream) return streamTree(services, asking)
  return services.hub.use(params.sessionId, (live) => show(services, asking, live))
}

async function show(services: Services, asking: Asking<Routes['getTree']>, live: LiveSession): Promise<TreeReply> {
  const { view, limit, atSeq, cursor: given } = asking.query
  const { session } = live
  const seen = atSeq === undefined ? session : await seenAt(session, atSeq)
  // Pages after the first show nodes as they are now, under the version of the first.
  if (given === undefined && isKnown(asking, live, seen.seq)) return { status: 304, version: seen.seq }
  const { limits } = services
  const include = readInclude(asking.query)
  if (view === 'columns') return showColumns(seen, include)
  if (view === 'trunk') {
    const cursor = readCursor({ limits, session: seen }, 'trunk', given)
    return showTrunk(seen, { cursor, limit: limit ?? limits.fullPage, maxBytes: limits.treeBytes })
  }
  const listing = atSeq === undefined ? 'tree' : 'past'
  const cursor = readCursor({ limits, session: seen }, listing, given)
  const asked: NodesAsked = { listing, cursor, limit, include, limits }
  return view === 'full' ? showFull(seen, asked) : showSkeleton(seen, asked)
}

/** The session stays open for as long as somebody reads. */
async function streamTree({ hub }: Services, { params, query }: Asking<Routes['getTree']>): Promise<TreeReply> {
  const lease = await hub.acquire(params.sessionId)
  try {
    const { session } = lease.live
    const seen = query.atSeq === undefined ? session : await seenAt(session, query.atSeq)
    const version = seen.seq
    const body = streamSkeleton(seen, readInclude(query)).once('close', () => lease[Symbol.dispose]())
    return { status: 200, version, type: 'application/x-ndjson; charset=utf-8', body }
  } catch (error) {
    lease[Symbol.dispose]()
    throw error
  }
}

function readInclude({ include = ['fragments'] }: Query): Required<ListOptions> {
  const unknown = include.find((name) => name !== 'fragments' && name !== 'deleted')
  if (unknown !== undefined) {
    throw new TreelineError('bad_request', '`include` takes `fragments` and `deleted`, with a comma between them.')
  }
  return { fragments: include.includes('fragments'), deleted: include.includes('deleted') }
}

function refuseMixture({ limits }: Services, { view, limit, cursor, stream }: Query): void {
  const isPaged = limit !== undefined || cursor !== undefined
  if (stream && (view !== 'skeleton' || isPaged)) {
    throw new TreelineError('bad_request', '`stream` is for all of `view=skeleton`, without `limit` and `cursor`.')
  }
  if (view === 'columns' && isPaged) {
    throw new TreelineError('bad_request', 'Columns come whole: ask for them without `limit` and `cursor`.')
  }
  const most = view === 'skeleton' ? limits.skeletonPage : limits.fullPage
  if (limit !== undefined && limit > most) {
    throw new TreelineError('validation_failed', `A page of \`view=${view}\` has at most ${most} nodes.`)
  }
}
