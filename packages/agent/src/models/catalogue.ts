import { TreelineError } from '@treeline/core'
import type { Settings } from '../settings/settings.ts'
import type { FoundKey, Keys } from './keys.ts'
import { listModels, type ModelListing } from './list-models.ts'
import { findLocalModels } from './local-models.ts'
import type { Model, ModelCatalogue } from './model.ts'
import { modelInfo } from './model-info.ts'
import { parseModelRef } from './model-ref.ts'
import { findProvider, findProviders, type Provider } from './providers.ts'
import { loadConnect } from './wire/connect.ts'

export interface CatalogueOptions {
  readonly settings: Pick<Settings, 'model' | 'roles' | 'providers' | 'models'>
  readonly keys: Keys
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetch?: typeof globalThis.fetch
}

export interface Catalogue extends ModelCatalogue {
  /** Every model that is known or found on this machine, and whether it can be used now. */
  list(): Promise<readonly ModelListing[]>
}

const DEMO = 'demo/demo'

/**
 * Models of every provider that is known or set up. A key is looked up each time a model is opened, so that one that was
 * just set, or taken away, counts; a model whose key has not changed is opened once.
 *
 * @example
 * const catalogue = createCatalogue({ settings, keys: createKeys({ env, home }), env })
 * const model = await catalogue.open(await catalogue.defaultRef())
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { settings, keys, env, fetch } = options
  const opened = new Map<string, { readonly key: string | undefined; readonly model: Promise<Model> }>()

  async function connect(ref: string, id: string, from: Provider, key: string | undefined): Promise<Model> {
    const connectTo = await loadConnect(from.api)
    const delayMs = readDelay(env.TREELINE_DEMO_DELAY_MS)
    const language = connectTo(
      { provider: from, key, ...(fetch && { fetch }), ...(delayMs !== undefined && { delayMs }) },
      id,
    )
    const info = modelInfo(from.name, id, { isLocal: from.isLocal, overrides: settings.models })
    return { ref, provider: from.name, id, api: from.api, info, language }
  }

  return {
    async open(ref) {
      const { provider: name, id } = parseModelRef(ref)
      if (name === 'demo' && ref !== DEMO) throw noSuchDemo(ref)
      const from = findProvider(name, settings, env)
      const key = needKey(from, keys)?.key
      const known = opened.get(ref)
      if (known !== undefined && known.key === key) return known.model
      const model = connect(ref, id, from, key)
      opened.set(ref, { key, model })
      // A package that could not be loaded is tried again.
      model.catch(() => opened.delete(ref))
      return model
    },
    async defaultRef() {
      if (settings.model !== undefined) return settings.model
      const all = findProviders(settings, env)
      for (const one of all) {
        const id = one.needsKey ? defaultModel(one, settings) : undefined
        if (id !== undefined && keys.find(one) !== undefined) return `${one.name}/${id}`
      }
      const local = all.filter(({ isLocal }) => isLocal)
      const found = await Promise.all(local.map((one) => findLocalModels(one, fetch)))
      const at = found.findIndex((ids) => ids.length > 0)
      return at < 0 ? DEMO : `${local[at]!.name}/${found[at]![0]}`
    },
    list: () => listModels(options),
  }
}

/** The key of a provider, `undefined` only where it does without. */
function needKey(provider: Provider, keys: Keys): FoundKey | undefined {
  const found = provider.api === 'demo' ? undefined : keys.find(provider)
  if (found !== undefined || !provider.needsKey) return found
  const [variable] = provider.keyVariables
  const ways = [variable === undefined ? [] : `set ${variable}`, `run \`treeline auth set ${provider.name}\``].flat()
  throw new TreelineError('unauthorized', `There is no key for ${provider.name}: ${ways.join(' or ')}.`)
}

function noSuchDemo(ref: string): TreelineError {
  return new TreelineError('validation_failed', `There is no ${ref}: the demo has one model, ${DEMO}.`)
}

/** What we propose, or what the user told us of. */
function defaultModel(
  { name, defaultModel: known }: Provider,
  { models }: Pick<Settings, 'models'>,
): string | undefined {
  const told = Object.keys(models).find((ref) => ref.startsWith(`${name}/`))
  return known ?? told?.slice(name.length + 1)
}

function readDelay(text: string | undefined): number | undefined {
  const delayMs = Number(text?.trim() || Number.NaN)
  return Number.isFinite(delayMs) && delayMs >= 0 ? Math.min(delayMs, 10_000) : undefined
}
