import { estimateTokens, type LineMessage, type LineStrategy } from '@treeline/core'
import { type Home, openHome } from '@treeline/store'
import { type Clock, systemClock } from './clock.ts'
import { choosePolicy } from './compaction/choose-policy.ts'
import type { CompactionPolicy } from './compaction/policy.ts'
import type { AgentEnv } from './env.ts'
import { createPool } from './generate/create-pool.ts'
import type { Hooks } from './hooks.ts'
import { projectStrategies } from './instructions/strategies.ts'
import { createCatalogue } from './models/catalogue.ts'
import { createKeys } from './models/keys.ts'
import type { ModelCatalogue } from './models/model.ts'
import { findSecrets } from './models/secrets.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { SettingProblem } from './settings/problem.ts'
import type { AskTrust } from './settings/project-trust.ts'
import type { SettingsPatch } from './settings/schema.ts'
import type { ApprovalMode, AskApproval } from './tools/approval.ts'
import { builtinTools } from './tools/builtin-tools.ts'
import type { AnyTool } from './tools/tool.ts'
import { createSpendGuard } from './turn/create-spend-guard.ts'

export interface AgentOptions {
  /** Where settings, keys and what was spent are; `$TREELINE_HOME` or `~/.treeline` by default. */
  readonly home?: string | undefined
  /** The project's folder; the current one by default. */
  readonly cwd?: string | undefined
  /** Said on the command line, or by a program: before everything that is set. */
  readonly flags?: SettingsPatch | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Asked once about what a project's settings would do that could do harm. Without it they do not. */
  readonly askTrust?: AskTrust | undefined
  /** Asked before a tool runs that has to be asked about. Without it such a call is denied. */
  readonly ask?: AskApproval | undefined
  /** Whatever a session or the settings allow, no more than this runs unasked. */
  readonly maxApprovalMode?: ApprovalMode | undefined
  readonly hooks?: Hooks | undefined
  /** By default those of the providers that are set up, and the demo. */
  readonly models?: ModelCatalogue | undefined
  /** By default ours: files, shell, search, and the session itself. */
  readonly tools?: readonly AnyTool[] | undefined
  /** When to compact and where to cut; what the settings name by default. */
  readonly policy?: CompactionPolicy | undefined
  readonly estimate?: ((messages: readonly LineMessage[]) => number) | undefined
  /** Added to every line, behind the system prompt and the project's instructions. */
  readonly strategies?: readonly LineStrategy[] | undefined
  readonly clock?: Clock | undefined
}

export interface CreatedEnv extends Disposable {
  readonly env: AgentEnv
  /** What is wrong with the settings; the rest of them counts. */
  readonly problems: readonly SettingProblem[]
}

/** Puts the parts together as the settings say; a program may bring any of them. */
export async function createEnv(options: AgentOptions = {}): Promise<CreatedEnv> {
  const { cwd = process.cwd(), clock = systemClock, env: variables = process.env } = options
  const home = openHome({ home: options.home })
  try {
    const { flags, askTrust } = options
    const { settings, problems } = await loadSettings({ home, cwd, flags, env: variables, askTrust })
    const tools = options.tools ?? builtinTools(settings)
    const added = options.strategies ?? []
    const keys = createKeys({ env: variables, home })
    const ofProject = projectStrategies({ cwd, settings, tools, clock })
    const env: AgentEnv = {
      cwd,
      settings,
      models: options.models ?? createCatalogue({ settings, keys, env: variables }),
      tools,
      ask: options.ask,
      maxApprovalMode: options.maxApprovalMode,
      hooks: options.hooks ?? {},
      policy: options.policy ?? choosePolicy(settings),
      estimate: options.estimate ?? estimateTokens,
      strategies: async (session) => [...(await ofProject(session)), ...added],
      secrets: () => findSecrets({ settings, env: variables, keys }),
      pool: createPool(settings.generation),
      spend: createSpendGuard({
        settings: settings.spend,
        spendDir: home.paths.spendDir,
        clock,
        storage: home.storage,
      }),
      clock,
    }
    return { env, problems, [Symbol.dispose]: () => close(home) }
  } catch (error) {
    close(home)
    throw error
  }
}

function close(home: Home): void {
  home[Symbol.dispose]()
}
