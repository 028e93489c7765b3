import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'

/** What a client calls it, and what the agent does. */
const STRATEGIES = { concat: 'concat', interleave: 'interleave', synthesize: 'ask' } as const

/** Sums up nodes. When it is done they are muted in the same write as the summary, and before that nothing is. */
export const summarize: Handler<Routes['summarize']> = async ({ agent, jobs }, { params, body, actor, cause }) => {
  const { nodeIds, range, disableSources: mute = true, placement = 'leaf', model, instructions } = body
  if ((nodeIds === undefined) === (range === undefined)) {
    throw new TreelineError('bad_request', 'Say what to sum up: either "nodeIds" or a "range".')
  }
  const request = { nodeIds: (nodeIds ?? range)!, mute, placement, model, instructions, by: actor.name }
  const version = await jobs.begin(params.sessionId, {
    name: 'summarize',
    cause,
    work: (session, how) => agent.summarise(session, { ...request, ...how }),
  })
  return { status: 202, version, body: { version } }
}

/** Joins branches in a new one under what they share. */
export const merge: Handler<Routes['merge']> = async ({ agent, jobs }, { params, body, actor, cause }) => {
  const { leafIds: sourceIds, strategy, baseId, model } = body
  const request = { sourceIds, how: STRATEGIES[strategy], baseId, model, by: actor.name }
  const version = await jobs.begin(params.sessionId, {
    name: 'merge',
    cause,
    work: (session, how) => agent.merge(session, { ...request, ...how }),
  })
  return { status: 202, version, body: { version } }
}

/** Puts a summary in the place of the beginning of the trunk. */
export const compact: Handler<Routes['compact']> = async ({ agent, jobs }, { params, body, actor, cause }) => {
  const version = await jobs.begin(params.sessionId, {
    name: 'compact',
    cause,
    work: (session, how) => agent.compact(session, { ...body, by: actor.name, ...how }),
  })
  return { status: 202, version, body: { version } }
}
