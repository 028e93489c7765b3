// A Treeline server over a home: `node tree-server.ts <home>`. Prints its address and a token, and ends with whoever
// started it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createAgent } from '../../packages/agent/src/index.ts'
import { createApprovals, fileHouse, fileTools, openCredentials, startServer } from '../../packages/server/src/index.ts'
import { openFileStore, openHome, openIndex } from '../../packages/store/src/index.ts'

export interface TreeServer {
  readonly url: string
  readonly token: string
}

/** Starts it in a process of its own: server and client do not wait for each other. */
export async function startTreeServer(home: string): Promise<TreeServer> {
  const flags = ['--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, import.meta.filename, home], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return JSON.parse(line)
}

/** The server in this process, over the files of a home. */
export async function openTreeServer(folder: string) {
  const home = openHome({ home: folder })
  const store = await openFileStore({ home: folder })
  const index = await openIndex({ home })
  const onFailure = (error: unknown): never => {
    throw error
  }
  const credentials = openCredentials({ home, onFailure })
  const token = await credentials.createToken({ name: `bench-${process.pid}`, scope: 'admin' })
  const approvals = createApprovals()
  const asking = { ask: approvals.ask, maxApprovalMode: 'autoEdit' } as const
  const agent = await createAgent({ home: folder, cwd: folder, env: {}, ...asking })
  const otherTools = fileTools({ home, store, index })
  const parts = { store, index, agent, approvals, house: fileHouse(home), otherTools, credentials }
  const { url, services } = await startServer(parts)
  return { url, token, store, services }
}

async function serve(folder: string): Promise<void> {
  const { url, token } = await openTreeServer(folder)
  process.stdout.write(`${JSON.stringify({ url, token })}\n`)
  process.stdin.resume().once('end', () => process.exit(0))
}

if (import.meta.main) await serve(process.argv[2]!)
