import type { LineMessage } from '@treeline/core'
import type { ModelInfo } from '../models/model.ts'
import { callModel } from '../turn/call-model.ts'
import { callOptions } from '../turn/call-options.ts'
import type { ReadImage } from '../turn/image-part.ts'
import { toPrompt } from '../turn/to-prompt.ts'
import { withWatchdog } from '../turn/watchdog.ts'
import type { ModelServer } from './model-server/model-server.ts'
import { modelAt, type ProviderName } from './provider-models.ts'

/** JSON of unknown shape, to be looked into without asking at each step what is there. */
export type Json = { readonly [key: string]: Json } & readonly Json[] & string

interface SendOptions {
  readonly readImage?: ReadImage
  readonly info?: Partial<ModelInfo>
}

/** The body that a provider's own package makes of a line, as the server got it. The server has to have an answer. */
export async function sendLine(
  server: ModelServer,
  messages: readonly LineMessage[],
  provider: ProviderName,
  { readImage = () => Promise.resolve(undefined), info = {} }: SendOptions = {},
): Promise<Json> {
  const model = modelAt(server, provider, info)
  const prompt = await toPrompt(messages, model, readImage)
  const dog = withWatchdog(new AbortController().signal, 0)
  const tools = [{ type: 'function' as const, name: 'ls', inputSchema: { type: 'object' as const, properties: {} } }]
  const options = callOptions({ prompt, tools, model, thinking: 'low', sessionId: 'a-session', signal: dog.signal })
  for await (const _ of callModel(model.language, options, dog));
  dog.end()
  return server.requests.at(-1)?.body as unknown as Json
}
