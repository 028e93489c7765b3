import type { Settings } from '../settings/settings.ts'
import type { Keys } from './keys.ts'
import { findProviders } from './providers.ts'

/** Headers that give access to nothing, and whose values are words of any text. */
const PLAIN_HEADERS = new Set(['accept', 'content-type', 'http-referer', 'referer', 'user-agent', 'x-title'])

/** Everything that gives access to a provider, as of now: to be kept out of what is stored and sent. */
export function findSecrets({
  settings,
  env,
  keys,
}: {
  readonly settings: Pick<Settings, 'providers'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly keys: Pick<Keys, 'storedKeys'>
}): readonly string[] {
  const found = new Set(keys.storedKeys())
  for (const { keyVariables, headers } of findProviders(settings, env)) {
    for (const variable of keyVariables) {
      const value = env[variable]?.trim()
      if (value) found.add(value)
    }
    for (const [name, value] of Object.entries(headers)) {
      if (PLAIN_HEADERS.has(name.toLowerCase())) continue
      found.add(value)
      // `Bearer …`: it is the last word that gives access, and it may stand alone elsewhere.
      found.add(value.slice(value.lastIndexOf(' ') + 1))
    }
  }
  return [...found]
}
