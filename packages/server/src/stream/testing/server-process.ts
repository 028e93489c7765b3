// Run by the tests as another process, to be killed: a server over a home, at a port. Says the port when it listens.
import { createAgent } from '@treeline/agent'
import { openFileStore, openHome, openIndex } from '@treeline/store'
import { fileHouse } from '../../files/file-house.ts'
import { fileTools } from '../../files/file-tools.ts'
import { openCredentials } from '../../guard/credentials.ts'
import { createApprovals } from '../../hub/approvals.ts'
import { startServer } from '../../server.ts'

const [folder, port] = process.argv.slice(2) as [string, string]
const home = openHome({ home: folder })
const store = await openFileStore({ home: folder })
const index = await openIndex({ home })
const approvals = createApprovals()
const asking = { ask: approvals.ask, maxApprovalMode: 'autoEdit' } as const
const server = await startServer({
  store,
  index,
  agent: await createAgent({ env: {}, home: folder, cwd: folder, ...asking }),
  approvals,
  house: fileHouse(home),
  otherTools: fileTools({ home, store, index }),
  credentials: openCredentials({
    home,
    onFailure: (error) => {
      throw error
    },
  }),
  port: Number(port),
})
process.stdout.write(`${server.port}\n`)
// Nobody is left behind when the test itself dies.
process.stdin.resume().once('end', () => process.exit(1))
