import { findProvider, type OpenedCatalogue, providerNames } from '@treeline/agent/models'
import { TreelineError } from '@treeline/core'

/** What may be said of a key. */
export interface ListedKey {
  readonly provider: string
  /** The variable or the file it comes from. */
  readonly from: string | null
  /** The last four characters, of a key that is long enough to spare them. */
  readonly ending: string | null
  readonly problem: string | null
}

const SHOWN = 4
const MIN_CHARS = 12

type Env = Readonly<Record<string, string | undefined>>

/** Of every provider that takes a key, and of those that only the file knows. */
export function listKeys(
  { keys, settings }: Pick<OpenedCatalogue, 'keys' | 'settings'>,
  env: Env,
): readonly ListedKey[] {
  const known = providerNames(settings).flatMap((name) => {
    const listed = listKey(name, () => {
      const provider = findProvider(name, settings, env)
      return provider.api === 'demo' ? undefined : { ...keys.find(provider), isNeeded: provider.needsKey }
    })
    return listed === undefined ? [] : [listed]
  })
  const others = storedNames(keys).filter((name) => !known.some(({ provider }) => provider === name))
  return [...known, ...others.map((provider) => ({ provider, from: 'auth.json', ending: null, problem: null }))]
}

interface Found {
  readonly key?: string
  readonly from?: string
  readonly isNeeded: boolean
}

function listKey(provider: string, find: () => Found | undefined): ListedKey | undefined {
  try {
    const found = find()
    if (found?.key !== undefined) {
      const ending = found.key.length > MIN_CHARS ? found.key.slice(-SHOWN) : null
      return { provider, from: found.from ?? null, ending, problem: null }
    }
    return found?.isNeeded ? { provider, from: null, ending: null, problem: null } : undefined
  } catch (error) {
    if (error instanceof TreelineError) return { provider, from: null, ending: null, problem: error.message }
    throw error
  }
}

/** None when the file cannot be read, of which each provider's row tells. */
function storedNames(keys: OpenedCatalogue['keys']): readonly string[] {
  try {
    return keys.stored()
  } catch (error) {
    if (error instanceof TreelineError) return []
    throw error
  }
}
