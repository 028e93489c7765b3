import { TreelineError } from '@treeline/core'
import type { CatalogueOptions } from './catalogue.ts'
import { findLocalModels } from './local-models.ts'
import type { ModelInfo } from './model.ts'
import { modelInfo } from './model-info.ts'
import { MODEL_TABLE } from './model-table.ts'
import { findProvider, type Provider, providerNames } from './providers.ts'

/** A model for a person who looks for one. */
export interface ModelListing {
  readonly ref: string
  readonly provider: string
  readonly info: ModelInfo
  readonly isUsable: boolean
  /** Where the key comes from or the model is, or what is missing. */
  readonly where: string
  /** Still served, no longer worth proposing. */
  readonly isOld: boolean
}

interface State {
  readonly isUsable: boolean
  readonly where: string
}

/** Who asks for a list would rather wait than miss something. */
const LIST_TIMEOUT_MS = 2_000

/** Never throws for one provider: what is the matter with it is said where it is listed. */
export async function listModels(options: CatalogueOptions): Promise<readonly ModelListing[]> {
  const listed = await Promise.all(providerNames(options.settings).map((name) => listProvider(name, options)))
  return listed.flat()
}

async function listProvider(name: string, options: CatalogueOptions): Promise<readonly ModelListing[]> {
  const { settings, env, fetch } = options
  let provider: Provider
  try {
    provider = findProvider(name, settings, env)
  } catch (error) {
    return chosenIds(name, options).map((id) => listing(name, id, { isUsable: false, where: reasonOf(error) }, options))
  }
  const rows = Object.hasOwn(MODEL_TABLE, name) ? MODEL_TABLE[name]! : {}
  const found = provider.isLocal ? await findLocalModels(provider, fetch, LIST_TIMEOUT_MS) : []
  const proposed = provider.defaultModel === undefined ? [] : [provider.defaultModel]
  const ids = new Set([...proposed, ...Object.keys(rows), ...found, ...chosenIds(name, options)])
  const state = stateOf(provider, options)
  return [...ids].map((id) => {
    const isMissing = provider.isLocal && !found.includes(id)
    const own = isMissing ? { isUsable: false, where: `not found at ${provider.baseUrl}` } : state
    return listing(name, id, own, options, { isLocal: provider.isLocal, isOld: rows[id]?.isOld ?? false })
  })
}

function stateOf(provider: Provider, { keys }: CatalogueOptions): State {
  if (provider.api === 'demo') return { isUsable: true, where: 'built in, not a real model' }
  try {
    const found = keys.find(provider)
    if (found !== undefined) return { isUsable: true, where: found.from }
  } catch (error) {
    return { isUsable: false, where: reasonOf(error) }
  }
  if (!provider.needsKey) return { isUsable: true, where: provider.baseUrl }
  return { isUsable: false, where: `no key: ${provider.keyVariables[0] ?? `treeline auth set ${provider.name}`}` }
}

/** Models of a provider that the settings name. */
function chosenIds(provider: string, { settings }: CatalogueOptions): readonly string[] {
  const { model, roles, models } = settings
  const refs = [...(model === undefined ? [] : [model]), ...Object.values(roles), ...Object.keys(models)]
  return refs.filter((ref) => ref.startsWith(`${provider}/`)).map((ref) => ref.slice(provider.length + 1))
}

function listing(
  provider: string,
  id: string,
  { isUsable, where }: State,
  { settings }: CatalogueOptions,
  { isLocal = false, isOld = false } = {},
): ModelListing {
  const info = modelInfo(provider, id, { isLocal, overrides: settings.models })
  return { ref: `${provider}/${id}`, provider, info, isUsable, where, isOld }
}

function reasonOf(error: unknown): string {
  if (error instanceof TreelineError) return error.message
  throw error
}
