import type { LineMessage, LineStrategy } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Clock } from './clock.ts'
import type { CompactionPolicy } from './compaction/policy.ts'
import type { GenerationPool } from './generate/pool.ts'
import type { Hooks } from './hooks.ts'
import type { ModelCatalogue } from './models/model.ts'
import type { Settings } from './settings/settings.ts'
import type { ApprovalMode, AskApproval } from './tools/approval.ts'
import type { AnyTool } from './tools/tool.ts'
import type { SpendGuard } from './turn/spend.ts'

/** What every part of the agent works with. Made once by `createAgent`; the parts are functions over it. */
export interface AgentEnv {
  /** The project's folder. */
  readonly cwd: string
  readonly settings: Settings
  readonly models: ModelCatalogue
  readonly tools: readonly AnyTool[]
  readonly ask: AskApproval | undefined
  /** Whatever a session allows, no more than this runs unasked. */
  readonly maxApprovalMode?: ApprovalMode | undefined
  readonly hooks: Hooks
  readonly policy: CompactionPolicy
  /** About how many tokens a line has. */
  readonly estimate: (messages: readonly LineMessage[]) => number
  /** The system prompt and the project's instructions, as of now, and what a program adds of its own. */
  readonly strategies: (session: Session) => Promise<readonly LineStrategy[]>
  /** Keys that must not get into a log. */
  readonly secrets: () => readonly string[]
  readonly pool: GenerationPool
  readonly spend: SpendGuard
  readonly clock: Clock
}
