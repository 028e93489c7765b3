import { TreelineError } from '@treeline/core'
import { findNearestKey } from '../settings/nearest-key.ts'
import type { ProviderSettings, Settings } from '../settings/settings.ts'
import { checkBaseUrl, ollamaUrl } from './base-url.ts'
import { type Api, PRESETS, type Preset } from './provider-presets.ts'

/** Somebody who runs models, and how they are reached: what we know with what the user says. */
export interface Provider {
  readonly name: string
  readonly api: Api
  readonly baseUrl: string
  /** Environment variables that may hold its key; the first is the one to name to people. */
  readonly keyVariables: readonly string[]
  readonly needsKey: boolean
  /** Models on one's own machine: free, and found by asking. */
  readonly isLocal: boolean
  readonly headers: Readonly<Record<string, string>>
  /** It counts tokens while streaming only when it is asked to, and the others refuse the question. */
  readonly asksForUsage: boolean
  /** What to use of it when nobody has chosen. */
  readonly defaultModel?: string
}

type Env = Readonly<Record<string, string | undefined>>

const MAX_NAME_CHARS = 24

const API_OF_SETTING: Readonly<Record<NonNullable<ProviderSettings['api']>, Api>> = {
  openai: 'openai-responses',
  anthropic: 'anthropic-messages',
  google: 'google-generative-ai',
  'openai-compatible': 'openai-completions',
}

/** All that are known, in the order of their presets, then those that only the settings name. */
export function providerNames(settings: Pick<Settings, 'providers'>): readonly string[] {
  return [...new Set([...Object.keys(PRESETS), ...Object.keys(settings.providers)])]
}

/** Those that can be reached as they are set up; what is wrong with another is said when it is used. */
export function findProviders(settings: Pick<Settings, 'providers'>, env: Env): readonly Provider[] {
  return providerNames(settings).flatMap((name) => {
    try {
      return [findProvider(name, settings, env)]
    } catch (error) {
      if (error instanceof TreelineError) return []
      throw error
    }
  })
}

/** Throws `validation_failed` for a name that is none, and for settings that lead nowhere. */
export function findProvider(name: string, settings: Pick<Settings, 'providers'>, env: Env): Provider {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  const given = Object.hasOwn(settings.providers, name) ? settings.providers[name]! : {}
  if (preset?.api === 'demo') return fromPreset(name, preset)
  if (preset === undefined && !Object.hasOwn(settings.providers, name)) throw unknown(name, settings)
  const base = preset ?? { api: 'openai-completions', baseUrl: '', needsKey: false as const }
  const api = given.api === undefined ? base.api : API_OF_SETTING[given.api]
  const reached = given.baseUrl ?? fromEnvironment(base, env) ?? base.baseUrl
  const known = fromPreset(name, base)
  return {
    ...known,
    api,
    baseUrl: checkBaseUrl(name, reached, api),
    keyVariables: given.keyVariable === undefined ? known.keyVariables : [given.keyVariable],
    needsKey: known.needsKey || given.keyVariable !== undefined,
    headers: given.headers ?? {},
  }
}

function fromPreset(name: string, preset: Preset): Provider {
  const {
    api,
    baseUrl,
    keyVariables = [],
    needsKey = true,
    isLocal = false,
    asksForUsage = true,
    defaultModel,
  } = preset
  const known = { name, api, baseUrl, keyVariables, needsKey, isLocal, asksForUsage, headers: {} }
  return defaultModel === undefined ? known : { ...known, defaultModel }
}

function fromEnvironment({ baseUrlVariable }: Preset, env: Env): string | undefined {
  const value = baseUrlVariable === undefined ? undefined : env[baseUrlVariable]?.trim()
  if (!value) return undefined
  return baseUrlVariable === 'OLLAMA_HOST' ? ollamaUrl(value) : value
}

/** What is too long for a name is not repeated: it may be a key in the wrong place. */
function unknown(name: string, settings: Pick<Settings, 'providers'>): TreelineError {
  const known = providerNames(settings)
  const near = findNearestKey(name, known)
  const hint = near !== undefined ? `Did you mean ${near}?` : `There are ${known.join(', ')}.`
  const what = name.length > MAX_NAME_CHARS ? 'no such provider' : `no provider ${JSON.stringify(name)}`
  const how = 'Others can be added under "providers" in the settings.'
  return new TreelineError('validation_failed', `There is ${what}. ${hint} ${how}`)
}
