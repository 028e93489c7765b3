import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Api } from '../provider-presets.ts'
import type { Provider } from '../providers.ts'

export interface Connection {
  readonly provider: Provider
  readonly key: string | undefined
  readonly fetch?: typeof globalThis.fetch
  /** For the demo: how long it waits before each word. */
  readonly delayMs?: number
}

/** A model as a provider's package gives it. */
export type Connect = (connection: Connection, modelId: string) => LanguageModelV4

const WIRES: Readonly<Record<Api, () => Promise<{ readonly connect: Connect }>>> = {
  'openai-responses': () => import('./openai.ts'),
  'anthropic-messages': () => import('./anthropic.ts'),
  'google-generative-ai': () => import('./google.ts'),
  'openai-completions': () => import('./openai-compatible.ts'),
  demo: () => import('./demo.ts'),
}

/** Only the package that is used is loaded. */
export async function loadConnect(api: Api): Promise<Connect> {
  return (await WIRES[api]()).connect
}
