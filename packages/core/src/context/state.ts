import type { Entry } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import type { DialectRules } from './dialect.ts'
import { isObject, isText, isTextList } from './json.ts'
import { type ModelRef, Models } from './models.ts'
import { readServiceTier, type ServiceTier, spreadServiceTier } from './service-tier.ts'

/** What the entries of a path add up to, besides messages (S23). */
export interface ContextState {
  readonly thinkingLevel: string
  /** The selector the user chose (`auto`), where it differs from the level it led to. */
  readonly configuredThinkingLevel?: string
  /** The model in force for the role `default`. */
  readonly model: ModelRef | null
  /** `provider/id` by role. */
  readonly models: Readonly<Record<string, string>>
  readonly serviceTier?: ServiceTier
  readonly mode: string
  readonly modeData?: unknown
  readonly injectedTtsrRules: readonly string[]
  readonly selectedMCPToolNames: readonly string[]
  readonly hasPersistedMCPToolSelection: boolean
  readonly activeContextName?: string
  readonly activeContextTenant?: string
  readonly activeToolNames?: readonly string[]
}

/** Saved columns list where these stand (`landmarks`): with another one here, `FORMAT` in `snapshot.ts` is another, too. */
const STATE_KINDS: readonly Kind[] = [
  Kind.model_change,
  Kind.thinking_level_change,
  Kind.service_tier_change,
  Kind.mode_change,
  Kind.context_change,
  Kind.mcp_tool_selection,
  Kind.active_tools_change,
  Kind.ttsr_injection,
]
/** By kind, because it is asked for every entry of a path. */
const IS_STATE = Uint8Array.from({ length: 256 }, (_, kind) => (STATE_KINDS.includes(kind as Kind) ? 1 : 0))

/** Kinds whose bodies the state needs wherever they stand on the path. They are small and few. */
export function changesState(kind: Kind): boolean {
  return IS_STATE[kind] === 1
}

/** Of most kinds the last entry on a path decides; of these all add up. */
export function everyOneCounts(kind: Kind, role: Role): boolean {
  return kind === Kind.ttsr_injection || (kind === Kind.model_change && role === Role.other)
}

/** Kinds that say something of a path wherever on it they stand; what others say counts in their place only. */
export function rulesPath(kind: Kind): boolean {
  return kind === Kind.compaction || kind === Kind.reset_boundary || changesState(kind)
}

/** Gathers the state; entries are handed to it in path order. */
export class StateReader {
  private readonly rules: DialectRules
  private readonly models: Models
  private readonly injectedRules = new Set<string>()
  private state: Omit<ContextState, 'model' | 'models' | 'injectedTtsrRules'> = {
    thinkingLevel: 'off',
    mode: 'none',
    selectedMCPToolNames: [],
    hasPersistedMCPToolSelection: false,
  }

  constructor(rules: DialectRules) {
    this.rules = rules
    this.models = new Models(rules)
  }

  /** False when the entry's value has the wrong type; it then changes nothing. */
  read(entry: Entry, kind: Kind): boolean {
    switch (kind) {
      case Kind.message:
        if (isObject(entry.message)) this.models.readAssistant(entry.message)
        return true
      case Kind.model_change:
        return this.models.readChange(entry)
      case Kind.thinking_level_change:
        return this.readThinkingLevel(entry)
      case Kind.service_tier_change:
        return this.readTier(entry)
      case Kind.mode_change:
        return this.readMode(entry)
      case Kind.context_change:
        return this.readActiveContext(entry)
      case Kind.mcp_tool_selection:
        if (!isTextList(entry.selectedToolNames)) return false
        this.set({ selectedMCPToolNames: entry.selectedToolNames, hasPersistedMCPToolSelection: true })
        return true
      case Kind.active_tools_change:
        if (!isTextList(entry.activeToolNames)) return false
        this.set({ activeToolNames: entry.activeToolNames })
        return true
      case Kind.ttsr_injection:
        if (!isTextList(entry.injectedRules)) return false
        for (const rule of entry.injectedRules) this.injectedRules.add(rule)
        return true
      default:
        return true
    }
  }

  get hasModel(): boolean {
    return this.models.hasChoice
  }

  finish(): ContextState {
    return { ...this.state, ...this.models.finish(), injectedTtsrRules: [...this.injectedRules] }
  }

  private set(change: Partial<typeof this.state>): void {
    this.state = { ...this.state, ...change }
  }

  private readThinkingLevel({ thinkingLevel, configured }: Entry): boolean {
    const level = thinkingLevel ?? null
    if (level !== null && typeof level !== 'string') return false
    const { configuredThinkingLevel: _, ...others } = this.state
    const chosen = isText(configured) ? configured : level
    this.state = { ...others, thinkingLevel: level ?? 'off', ...(chosen && { configuredThinkingLevel: chosen }) }
    return true
  }

  private readTier(entry: Entry): boolean {
    const stored = readServiceTier(entry.serviceTier)
    const serviceTier = this.rules.tierByFamily ? spreadServiceTier(stored) : stored
    const { serviceTier: _, ...others } = this.state
    this.state = { ...others, ...(serviceTier !== undefined && { serviceTier }) }
    return stored !== undefined || entry.serviceTier === null
  }

  private readMode({ mode, data }: Entry): boolean {
    if (typeof mode !== 'string') return false
    const { modeData: _, ...others } = this.state
    this.state = { ...others, mode, ...(data !== undefined && { modeData: data }) }
    return true
  }

  private readActiveContext({ contextName, tenant }: Entry): boolean {
    if (typeof contextName !== 'string') return false
    const { activeContextTenant: _, ...others } = this.state
    const activeContextTenant = typeof tenant === 'string' ? { activeContextTenant: tenant } : {}
    this.state = { ...others, activeContextName: contextName, ...activeContextTenant }
    return true
  }
}
