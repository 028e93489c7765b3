import { type ErrorCode, TreelineError } from '@treeline/core'
import { type FileHome, updateFile } from '../settings/update-file.ts'
import { formatAuthFile, listStoredTexts, readAuthFile, type StoredKey } from './auth-file.ts'
import type { Provider } from './providers.ts'

/** A key and where it was found: a variable's name, or `auth.json`. */
export interface FoundKey {
  readonly key: string
  readonly from: string
}

type KeyOwner = Pick<Provider, 'name' | 'keyVariables'>

/** Keys of providers: those of the environment win over those that were stored. */
export interface Keys {
  /** Throws `unauthorized` for what cannot be a key, `forbidden` or `damaged` when the file cannot be used. */
  find(provider: KeyOwner): FoundKey | undefined
  /** Names of the providers whose keys are stored. */
  stored(): readonly string[]
  set(provider: string, key: string): Promise<void>
  /**
   * Everything stored that may give access, whoever it is for, to be kept out of what is shown: also of kinds we do not
   * know, and of a file that others can read or that is damaged, which are not used. Never throws.
   */
  storedKeys(): readonly string[]
  /** False when there was none. */
  remove(provider: string): Promise<boolean>
}

export interface KeysOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: FileHome
}

/** What `treeline scrub` leaves of a key it was told to remove. */
const SCRUBBED = /^\*+$/
const STORED = 'auth.json'
/** What can stand in a header. Anything else would be quoted in the error of whoever makes the request. */
const KEY = /^[\x21-\x7e]{1,4096}$/

/** Reads the file when it is needed, and anew each time: a key that was just set is used by the next call. */
export function createKeys({ env, home }: KeysOptions): Keys {
  const { authFile } = home.paths

  /** What others could read is read here to be written anew, closed to them. */
  function change(alter: (keys: Map<string, StoredKey>) => void): Promise<void> {
    return updateFile(home, authFile, () => {
      const keys = new Map(readAuthFile(authFile, { evenIfOpen: true }))
      alter(keys)
      return formatAuthFile(keys)
    })
  }

  return {
    find({ name, keyVariables }) {
      for (const variable of keyVariables) {
        const value = env[variable]?.trim()
        if (value) return { key: checkKey(value, variable, `Set ${variable} again`), from: variable }
      }
      const stored = readAuthFile(authFile).get(name)
      if (stored?.type !== 'api_key' || typeof stored.key !== 'string' || SCRUBBED.test(stored.key)) {
        return undefined
      }
      return { key: checkKey(stored.key, STORED, `Run \`treeline auth set ${name}\``), from: STORED }
    },
    stored: () => [...readAuthFile(authFile).keys()],
    storedKeys() {
      return listStoredTexts(authFile).filter((text) => !SCRUBBED.test(text))
    },
    async set(provider, key) {
      const checked = checkKey(key.trim(), 'what was given', 'Give the key alone', 'validation_failed')
      await change((keys) => keys.set(provider, { type: 'api_key', key: checked }))
    },
    async remove(provider) {
      if (!readAuthFile(authFile, { evenIfOpen: true }).has(provider)) return false
      await change((keys) => keys.delete(provider))
      return true
    },
  }
}

function checkKey(key: string, where: string, remedy: string, code: ErrorCode = 'unauthorized'): string {
  if (KEY.test(key)) return key
  const what = key === '' ? 'is empty' : 'has characters that no key has'
  throw new TreelineError(code, `The key cannot be used: ${where} ${what}. ${remedy}.`)
}
