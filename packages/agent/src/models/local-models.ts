import { isLoopback } from './base-url.ts'
import type { Provider } from './providers.ts'

/** Nobody there is told at once by the system; this is for a server that takes its time. */
const TIMEOUT_MS = 300
const MAX_BYTES = 1024 * 1024
const MAX_MODELS = 500
/** Printable, and no longer than a name. */
const ID = /^[^\p{C}\s]{1,200}$/u

/**
 * The models of a server on this machine; none when nobody answers at once. That is the usual case and no error, so nothing
 * here throws. Nothing beyond this machine is asked, not even when the server sends us there.
 */
export async function findLocalModels(
  { baseUrl, headers }: Pick<Provider, 'baseUrl' | 'headers'>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
): Promise<readonly string[]> {
  if (!isLoopback(baseUrl)) return []
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${baseUrl}/models`, { signal, headers, redirect: 'error' })
    if (!response.ok || response.body === null) return []
    return readIds(JSON.parse(await readText(response.body)))
  } catch {
    // Nobody there, or not a server of models: the same to whoever asks.
    return []
  }
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new RangeError('too long for a list of models')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Those that can be talked to: servers list what makes vectors among them. */
function readIds(answer: unknown): readonly string[] {
  const { data } = answer as { readonly data?: unknown }
  if (!Array.isArray(data)) return []
  const ids = data.map((model: unknown) => (model as { readonly id?: unknown } | null)?.id)
  const usable = ids.filter((id): id is string => typeof id === 'string' && ID.test(id) && !/embed/i.test(id))
  return [...new Set(usable)].slice(0, MAX_MODELS)
}
