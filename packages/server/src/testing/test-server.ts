import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, type AgentOptions, createAgent } from '@treeline/agent'
import { type Call, createCaller, type Limits } from '@treeline/protocol'
import {
  type Home,
  openFileStore,
  openHome,
  openIndex,
  type Session,
  type SessionStore,
  type SourceModule,
} from '@treeline/store'
import { fileHouse } from '../files/file-house.ts'
import { fileTools } from '../files/file-tools.ts'
import { type Credentials, openCredentials } from '../guard/credentials.ts'
import { createApprovals } from '../hub/approvals.ts'
import { type RunningServer, type ServerOptions, startServer } from '../server.ts'
import type { LogRecord } from '../services.ts'

/** A server over a home on the real disk, with the demo model unless a test brings another. All gone at the end of the block. */
export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly server: RunningServer
  readonly home: Home
  readonly store: SessionStore
  readonly agent: Agent
  readonly credentials: Credentials
  /** Of the scope admin. */
  readonly token: string
  readonly call: Call
  readonly logged: readonly LogRecord[]
  /** A request as a program sends it, with the token, whatever comes back. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A session of the store with questions in it, one under the other; nobody has it open then. */
  say(...texts: readonly string[]): Promise<string>
}

export interface TestServerOptions {
  readonly agent?: Omit<AgentOptions, 'home' | 'cwd' | 'ask'>
  readonly limits?: Partial<Limits>
  /** Other tools’ sessions. */
  readonly sources?: readonly SourceModule[]
  /** Where it listens, and the web app's files. */
  readonly listening?: Pick<ServerOptions, 'host' | 'port' | 'portTries' | 'tls' | 'proxyUrl' | 'webRoot' | 'stream'>
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-server-')))
  const home = openHome({ home: join(folder, 'home') })
  const store = await openFileStore({ home: home.paths.home })
  const index = await openIndex({ home, ...(options.sources && { sources: options.sources }) })
  const credentials = openCredentials({
    home,
    onFailure: (error) => {
      throw error
    },
  })
  const token = await credentials.createToken({ name: 'test', scope: 'admin' })
  const approvals = createApprovals()
  const agent = await createAgent({
    // The demo takes its time, for people who watch.
    env: { TREELINE_DEMO_DELAY_MS: '1' },
    ...options.agent,
    home: home.paths.home,
    cwd: folder,
    ask: approvals.ask,
    maxApprovalMode: 'autoEdit',
  })
  const logged: LogRecord[] = []
  const server = await startServer({
    store,
    index,
    agent,
    approvals,
    credentials,
    house: fileHouse(home),
    otherTools: fileTools({ home, store, index }),
    log: (record) => logged.push(record),
    drainMs: 0,
    ...(options.limits && { limits: options.limits }),
    ...options.listening,
  })
  const { url } = server
  return {
    url,
    server,
    home,
    store,
    agent,
    credentials,
    token,
    call: createCaller({ baseUrl: url, token, retries: 0 }),
    logged,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
      if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
      return fetch(new URL(path, url), { ...init, headers })
    },
    async say(...texts) {
      await using session: Session = await store.create({ cwd: folder })
      for (const content of texts)
        await session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
      return session.id
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await agent.close()
      await index.close()
      await store.close()
      credentials[Symbol.dispose]()
      home[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
