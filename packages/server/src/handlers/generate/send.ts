import type { GenerateRequest } from '@treeline/agent'
import { newEntryId, ROOT } from '@treeline/core'
import type { SendMessage, Warning } from '@treeline/protocol'
import type { Actor } from '../../guard/actor.ts'
import type { Cause } from '../../hub/causes.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import type { Services } from '../../services.ts'
import { activeLeafOf } from '../../wire/tree-head.ts'
import type { Place } from './place.ts'
import type { Wanted } from './read-specs.ts'
import { refuseRequest, type Said } from './refuse-request.ts'
import { type Draft, findAnswers, isSentBefore } from './sent-before.ts'
import { readNode, readStarted } from './started-nodes.ts'

export interface Sending {
  readonly place: Place
  /** The client’s own, by which a retry is known. */
  readonly nodeId?: string | undefined
  readonly message: Readonly<Record<string, unknown>>
  /** Beside the message in its line. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** None when nobody is to answer. */
  readonly wanted: readonly Wanted[]
  readonly said?: Said
  readonly isActivated: boolean
  readonly baseVersion?: number | undefined
  readonly mayWait: boolean
}

export interface Asker {
  readonly actor: Actor
  readonly cause: Cause
}

/** Says something and has it answered. What is in the answer to the client is durable by then (D1, D6). */
export async function send(
  services: Services,
  live: LiveSession,
  asker: Asker,
  sending: Sending,
): Promise<{ readonly status: 201 | 202; readonly body: SendMessage }> {
  const { session } = live
  const { place, wanted, fields = {} } = sending
  const id = sending.nodeId ?? newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
  const draft: Draft = { type: 'message', id, message: sending.message, ...fields }
  const isRetry = sending.nodeId !== undefined && (await isSentBefore(live, draft, place.nodeId))
  const nodeIds = isRetry
    ? await answerAgain(services, live, asker, sending, id)
    : await sayNew(services, live, asker, sending, draft)
  const [node, generations] = [await readNode(session, id), await readStarted(session, nodeIds)]
  const version = session.seq
  const body = { version, node, generations, activeLeafId: activeLeafOf(session), warnings: warningsOf(place) }
  return { status: wanted.length === 0 ? 201 : 202, body }
}

async function sayNew(
  { agent, generations }: Services,
  live: LiveSession,
  { actor, cause }: Asker,
  { place, wanted, said, isActivated, baseVersion, mayWait }: Sending,
  draft: Draft,
): Promise<readonly string[]> {
  const { session, causes } = live
  const ids = wanted.map(({ nodeId }) => nodeId)
  if (wanted.length > 0) await refuseRequest(agent, session, place.entryId, wanted, said)
  causes.note([draft.id, ...ids], cause)
  if (wanted.length === 0) {
    const leaf = isActivated ? 'move' : 'stay'
    await session.append(draft, { parentId: place.entryId, leaf, baseVersion })
    return []
  }
  const request: GenerateRequest = { parentId: place.entryId, message: draft, specs: wanted, activate: isActivated }
  const nodeIds = await generations.start(live, { ...request, baseVersion, mayWait })
  await label(live, actor, wanted)
  return nodeIds
}

async function answerAgain(
  services: Services,
  live: LiveSession,
  { actor, cause }: Asker,
  { wanted, isActivated, mayWait }: Sending,
  id: string,
): Promise<readonly string[]> {
  const { existing, missing } = findAnswers(live, id, wanted)
  if (missing.length === 0) return existing
  live.causes.note(
    missing.map(({ nodeId }) => nodeId),
    cause,
  )
  const activate = isActivated || activeLeafOf(live.session) === id
  const begun = await services.generations.start(live, { parentId: id, specs: missing, activate, mayWait })
  await label(live, actor, missing)
  return [...existing, ...begun]
}

/** What a client calls its answers. Nothing that somebody would undo by itself. */
export async function label({ session }: LiveSession, { name: by }: Actor, wanted: readonly Wanted[]): Promise<void> {
  const operations = wanted.flatMap(({ nodeId, label: text }) =>
    text === undefined || text === '' ? [] : [{ op: 'label' as const, nodeId, label: text }],
  )
  if (operations.length > 0) await session.edit({ operations, by, auto: true })
}

function warningsOf({ isInStash, nodeId }: Place): Warning[] {
  if (!isInStash || nodeId === null) return []
  return [{ code: 'in_stash', nodeIds: [nodeId], detail: 'This is in the stash: graft it back to go on from it.' }]
}
