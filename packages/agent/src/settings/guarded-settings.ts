import type { SettingsPatch } from './schema.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const MODES: readonly (string | undefined)[] = ['default', 'autoEdit', 'yolo']

export interface SplitSettings {
  /** Counts as it is. */
  readonly free: SettingsPatch
  /** Counts when the user trusts the project. */
  readonly guarded: SettingsPatch
}

/** What is spent and how much is done at most, in groups of settings. */
const LIMITS = {
  spend: ['perSession', 'perDay'],
  generation: ['perSession', 'total', 'queued'],
  retry: ['maxRetries'],
} as const

/**
 * A project may make things stricter than the user has them, never looser by itself. Guarded are: where keys and texts
 * are sent, what models are said to cost (a price of nothing would be no limit), and wider approvals, tools and limits.
 */
export function splitGuarded(project: SettingsPatch, user: SettingsPatch): SplitSettings {
  const { providers, models, approvalMode, tools, maxSteps, spend, generation, retry, ...free } = project
  const isLooser = MODES.indexOf(approvalMode) > MODES.indexOf(user.approvalMode ?? 'default')
  const isWider = tools !== undefined && user.tools !== undefined && tools.some((name) => !user.tools?.includes(name))
  const isMore = maxSteps !== undefined && maxSteps > (user.maxSteps ?? DEFAULT_SETTINGS.maxSteps)
  const [fewer, more] = splitLimits({ spend, generation, retry }, user)
  return {
    free: {
      ...free,
      ...fewer,
      ...(approvalMode !== undefined && !isLooser && { approvalMode }),
      ...(tools !== undefined && !isWider && { tools }),
      ...(maxSteps !== undefined && !isMore && { maxSteps }),
    },
    guarded: {
      ...(hasKeys(providers) && { providers }),
      ...(hasKeys(models) && { models }),
      ...(approvalMode !== undefined && isLooser && { approvalMode }),
      ...(tools !== undefined && isWider && { tools }),
      ...(isMore && { maxSteps }),
      ...more,
    },
  }
}

type Limits = Pick<SettingsPatch, keyof typeof LIMITS>

/** Where nobody has set a limit any is stricter. What is no limit goes with those that are lower. */
function splitLimits(project: Limits, user: Limits): readonly [fewer: Limits, more: Limits] {
  const fewer: Record<string, object> = {}
  const more: Record<string, object> = {}
  for (const [group, keys] of Object.entries(LIMITS) as [keyof Limits, readonly string[]][]) {
    const now: Record<string, unknown> = { ...DEFAULT_SETTINGS[group], ...user[group] }
    const isHigher = (key: string, value: unknown) =>
      keys.includes(key) && (value as number) > ((now[key] as number | undefined) ?? Number.POSITIVE_INFINITY)
    const values = Object.entries(project[group] ?? {})
    const higher = values.filter(([key, value]) => isHigher(key, value))
    const lower = values.filter(([key, value]) => !isHigher(key, value))
    if (lower.length > 0) fewer[group] = Object.fromEntries(lower)
    if (higher.length > 0) more[group] = Object.fromEntries(higher)
  }
  return [fewer, more]
}

function hasKeys(value: object | undefined): value is object {
  return value !== undefined && Object.keys(value).length > 0
}
