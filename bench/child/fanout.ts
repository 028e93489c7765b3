// Treeline's server in this process, with many who follow one session in others.
import { createAgent } from '../../packages/agent/src/index.ts'
import { createApprovals, fileHouse, fileTools, openCredentials, startServer } from '../../packages/server/src/index.ts'
import { openFileStore, openHome, openIndex } from '../../packages/store/src/index.ts'
import { atPace, timedText, WARM_UP_EVENTS } from '../inputs/fanout.ts'
import { startClients } from './fanout-clients.ts'
import { fanoutFacts, startRss } from './fanout-facts.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'

/** Messages are appended and synced, and told to all. A message takes from the call that appends it. */
const fanout: Action = async ({ home: folder, fanout: options }) => {
  const home = openHome({ home: folder })
  const store = await openFileStore({ home: folder })
  const index = await openIndex({ home })
  const onFailure = (error: unknown): never => {
    throw error
  }
  const credentials = openCredentials({ home, onFailure })
  const token = await credentials.createToken({ name: 'bench', scope: 'read' })
  const approvals = createApprovals()
  const asking = { ask: approvals.ask, maxApprovalMode: 'autoEdit' } as const
  const agent = await createAgent({ home: folder, cwd: folder, env: {}, ...asking })
  const tools = fileTools({ home, store, index })
  const parts = { store, index, agent, approvals, house: fileHouse(home), otherTools: tools, credentials }
  const { url, services } = await startServer(parts)
  const made = await store.create({ cwd: folder })
  await made.close()
  const { session } = (await services.hub.acquire(made.id)).live
  const say = (isTimed: boolean) => {
    const message = { role: 'user', content: timedText(isTimed), timestamp: Date.now() } as const
    return session.append({ type: 'message', message })
  }
  const { latencies } = await startClients({
    url: `${url.replace('http', 'ws')}/api/chat/ws`,
    headers: { authorization: `Bearer ${token}` },
    sessionId: made.id,
    fanout: options!,
  })
  await atPace(options!, WARM_UP_EVENTS, () => say(false))
  const startBytes = startRss()
  return prepared(
    async () => {
      await atPace(options!, options!.events, () => say(true))
      return latencies
    },
    (all) => fanoutFacts(all, startBytes),
  )
}

await runChild({ fanout })
