import { gatedModels } from '../testing/gated-models.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

/** A server whose models answer at once, so that what was begun soon has ended. */
export function startFuzzed(): Promise<TestServer> {
  const { models } = gatedModels(async function* () {
    return yield 'Yes.'
  })
  return startTestServer({ agent: { models, flags: { autoTitle: false, retry: { enabled: false } } } })
}
