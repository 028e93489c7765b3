// A bare `ws` server in this process that sends the same to as many: nothing is kept, nobody is asked who they are.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { atPace, timedText, WARM_UP_EVENTS } from '../inputs/fanout.ts'
import { startClients } from './fanout-clients.ts'
import { fanoutFacts, startRss } from './fanout-facts.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'

/** Put into bytes once and sent to all. A message takes from before that. */
const fanout: Action = async ({ fanout: options }) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let seq = 1
  const say = (isTimed: boolean): void => {
    const bytes = Buffer.from(JSON.stringify(makeFrame(++seq, timedText(isTimed))))
    for (const client of server.clients) client.send(bytes, { binary: false })
  }
  const { latencies } = await startClients({ url: `ws://127.0.0.1:${port}`, fanout: options! })
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

/** As ours looks. */
function makeFrame(seq: number, content: string): object {
  const [id, previous] = [seq, seq - 1].map((number) => number.toString(16).padStart(8, '0'))
  const ts = new Date().toISOString()
  const common = { seq, version: seq, ts, sessionId: '019a1e57-6f48-7163-ba8b-22cca9cd70be' }
  const node = {
    ...{ id, parentId: previous, childrenIds: [], content, role: 'user', status: 'complete', isEnabled: true },
    ...{ timestamp: ts, updatedAt: ts, version: seq, contentLength: content.length },
  }
  const moved = { ...common, type: 'active_leaf.updated', activeLeafId: id, previous, reason: 'send' }
  return { t: 'events', seq, events: [{ ...common, type: 'node.created', node }, moved] }
}

await runChild({ fanout })
