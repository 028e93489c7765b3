import { TreelineError } from '@treeline/core'
import { PRESETS } from './provider-presets.ts'

export interface ModelName {
  readonly provider: string
  /** May have slashes of its own. */
  readonly id: string
}

/** No spaces, and nothing that means something in a URL: some providers put it there. */
const ID = /^[^\s\p{C}?#%\\]{1,256}$/u

/** `provider/model`, split at the first slash. */
export function parseModelRef(ref: string): ModelName {
  const slash = ref.indexOf('/')
  const provider = ref.slice(0, slash)
  const id = ref.slice(slash + 1)
  if (slash > 0 && ID.test(id) && !id.split('/').some((part) => part === '..' || part === '.')) return { provider, id }
  throw new TreelineError(
    'validation_failed',
    `${JSON.stringify(ref.slice(0, 80))} names no model. Say provider/model, for example ${exampleFor(ref)}; ` +
      '`treeline models --all` lists them.',
  )
}

/** Who says only the provider is told a model of it. */
function exampleFor(ref: string): string {
  const provider = Object.hasOwn(PRESETS, ref) && PRESETS[ref]?.defaultModel !== undefined ? ref : 'anthropic'
  return `${provider}/${PRESETS[provider]?.defaultModel}`
}
