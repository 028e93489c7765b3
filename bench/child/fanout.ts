// Treeline's server in this process, with many who follow one session in others.
import { atPace, timedText, WARM_UP_EVENTS } from '../inputs/fanout.ts'
import { startClients } from './fanout-clients.ts'
import { fanoutFacts, startRss } from './fanout-facts.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { openTreeServer } from './tree-server.ts'

/** Messages are appended and synced, and told to all. A message takes from the call that appends it. */
const fanout: Action = async ({ home: folder, fanout: options }) => {
  const { url, token, store, services } = await openTreeServer(folder)
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
