// The tree and the worker that lays it out take their time elsewhere. They are asked for before the rest of this program
// has run, which then does so beside them.
import { prepareLayoutWorker } from './layout/start-worker.ts'
import { askEarlyForTree } from './server/early-answer.ts'
import { parseRoute } from './shell/address.ts'

const { sessionId, view } = parseRoute(new URL(location.href))
// The worker first: its file comes at once, while a server that gathers a large tree lets others wait.
if (sessionId !== undefined && view === 'tree') prepareLayoutWorker()
if (sessionId !== undefined) askEarlyForTree(sessionId)
