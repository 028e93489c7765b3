import { isObject } from './json.ts'

/** As stored: one tier for all (xcsh), or one per provider family (oh-my-pi). */
export type ServiceTier = string | Readonly<Record<string, string>>

const FAMILIES = ['openai', 'anthropic', 'google']
const TIERS: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'scale', 'priority'])

export function readServiceTier(value: unknown): ServiceTier | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  const pairs = Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined
}

/** oh-my-pi's reading of both forms. `priority` once meant every family, the other plain values OpenAI's. */
export function spreadServiceTier(tier: ServiceTier | undefined): ServiceTier | undefined {
  if (typeof tier === 'object') {
    const pairs = FAMILIES.map((family) => [family, tier[family]] as const).filter(([, value]) => TIERS.has(value))
    return pairs.length > 0 ? (Object.fromEntries(pairs) as Readonly<Record<string, string>>) : undefined
  }
  if (tier === 'priority') return { openai: tier, anthropic: tier, google: tier }
  if (tier === 'openai-only') return { openai: 'priority' }
  if (tier === 'claude-only') return { anthropic: 'priority' }
  return TIERS.has(tier) ? { openai: tier as string } : undefined
}
