import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCaller, routes } from '@treeline/protocol'
import { openFileStore, openHome } from '@treeline/store'
import { expect, onTestFinished, test } from 'vitest'
import { openCredentials } from '../guard/credentials.ts'
import { runs } from '../testing/runs.ts'
import { Follower } from './testing/follower.ts'
import { KillableServer } from './testing/killable-server.ts'
import { readAll } from './testing/read-all.ts'

/** A hundred in CI, a thousand in torture. */
const CLIENTS = Math.min(1_000, runs(100))
const KILLS = Math.min(30, runs(1))

test(
  `W1–W4 the server is killed under ${CLIENTS} clients, and every one ends with the whole sequence`,
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-stream-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    using home = openHome({ home: join(folder, 'home') })
    await using store = await openFileStore({ home: home.paths.home })
    using credentials = openCredentials({
      home,
      onFailure: (error) => {
        throw error
      },
    })
    const token = await credentials.createToken({ name: 'test', scope: 'admin' })
    await using session = await store.create({ cwd: folder })
    const say = (content: string) =>
      session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
    const { id: rootId } = await say('One')
    const { id: sessionId } = session

    await using server = new KillableServer(home.paths.home)
    await server.start()
    const { url } = server
    const call = createCaller({ baseUrl: url, token, retries: 0 })
    const followers = Array.from(
      { length: CLIENTS },
      (_, i) => new Follower({ url, token, sessions: { [sessionId]: i % 2 } }),
    )
    onTestFinished(() => {
      for (const follower of followers) follower.close()
    })
    const acknowledged = new Set<number>()
    const params = { sessionId, nodeId: rootId }
    const put = async (isEnabled: boolean): Promise<void> => {
      const { version } = await call(routes.putNodeState, { params, body: { isEnabled } })
      acknowledged.add(version)
    }

    for (let kill = 0; kill <= KILLS; kill++) {
      await Promise.all(followers.map((follower) => follower.until(sessionId, session.seq)))
      let isAlive = true
      const asking = (async () => {
        for (let i = 0; isAlive; i++) {
          // The last of them is in doubt: it was killed while it answered.
          await put(i % 2 === 1).catch(() => {
            isAlive = false
          })
        }
      })()
      for (let i = 0; i < 20; i++) await say(`${kill} ${i}`)
      if (kill < KILLS) {
        await server.kill()
        await asking
        // What is written while there is no server is told by the next.
        for (let i = 0; i < 5; i++) await say(`${kill} alone ${i}`)
        await server.start()
      } else {
        isAlive = false
        await asking
      }
    }

    await session.refresh()
    const all = await readAll(call, sessionId, session.seq)
    expect([...all.keys()]).toEqual(Array.from({ length: session.seq - 1 }, (_, i) => i + 2))
    for (const version of acknowledged) expect(all.has(version)).toBe(true)
    for (const follower of followers) {
      await follower.until(sessionId, session.seq)
      expect(follower.heardOf(sessionId)).toEqual(all)
      expect(follower.complaints).toEqual([])
    }
  },
  120_000 * KILLS,
)
