import type { ModelInfo, ThinkingLevel } from '../models/model.ts'
import type { ApprovalMode } from '../tools/approval.ts'

/** How a provider is reached, when not as it is known to be. */
export interface ProviderSettings {
  /** What it speaks; by its name where that is known, else `openai-compatible`. */
  readonly api?: 'openai' | 'anthropic' | 'google' | 'openai-compatible'
  readonly baseUrl?: string
  /** The environment variable that holds its key. */
  readonly keyVariable?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Everything that can be set, with its defaults filled in. */
export interface Settings {
  /** `provider/model`; by default the first provider with a key, else the demo. */
  readonly model?: string
  /** Models for other jobs, by role (S9): `summary`, `title` … A role that is not named uses the model of the turn. */
  readonly roles: Readonly<Record<string, string>>
  readonly thinkingLevel?: ThinkingLevel
  readonly approvalMode: ApprovalMode
  readonly systemPrompt?: string
  /** `AGENTS.md` and the like of the project are told to the model. */
  readonly projectInstructions: boolean
  readonly autoTitle: boolean
  /** When a terminal rings: at the end of what took long, of everything, or never. */
  readonly bell: 'long' | 'always' | 'never'
  /** Names of the tools the model gets; all by default. */
  readonly tools?: readonly string[]
  readonly bashTimeoutMs: number
  /** How many times a turn may call the model. */
  readonly maxSteps: number
  /** A call that says nothing for so long has failed. */
  readonly stallMs: number
  readonly compaction: {
    readonly enabled: boolean
    readonly policy: 'pi' | 'neovate'
    readonly reserveTokens: number
    readonly keepRecentTokens: number
  }
  readonly branchSummary: { readonly reserveTokens: number; readonly skipPrompt: boolean }
  readonly retry: {
    readonly enabled: boolean
    readonly maxRetries: number
    readonly baseDelayMs: number
    readonly maxDelayMs: number
  }
  /** US dollars; none by default. */
  readonly spend: { readonly perSession?: number; readonly perDay?: number }
  /** How many answers may be generated at once, and how many may wait. */
  readonly generation: { readonly perSession: number; readonly total: number; readonly queued: number }
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** What the table does not know, or knows wrongly, by `provider/model`. */
  readonly models: Readonly<Record<string, Partial<ModelInfo>>>
}

export const DEFAULT_SETTINGS: Settings = {
  roles: {},
  approvalMode: 'default',
  projectInstructions: true,
  autoTitle: true,
  bell: 'long',
  bashTimeoutMs: 120_000,
  maxSteps: 200,
  stallMs: 300_000,
  compaction: { enabled: true, policy: 'pi', reserveTokens: 16_384, keepRecentTokens: 20_000 },
  branchSummary: { reserveTokens: 16_384, skipPrompt: false },
  retry: { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000 },
  spend: {},
  generation: { perSession: 8, total: 32, queued: 64 },
  providers: {},
  models: {},
}
