import { estimateTokens, TreelineError } from '@treeline/core'
import { systemClock } from '../clock.ts'
import { choosePolicy } from '../compaction/choose-policy.ts'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'

/** An environment without files, keys or limits: what a test does not give is as plain as can be. Waiting takes no time. */
export function testEnv(given: Partial<AgentEnv> & { readonly model?: Model } = {}): AgentEnv {
  const { model, ...parts } = given
  const settings = parts.settings ?? DEFAULT_SETTINGS
  return {
    cwd: '/project',
    settings,
    models: {
      open: (ref) =>
        model?.ref === ref
          ? Promise.resolve(model)
          : Promise.reject(new TreelineError('validation_failed', `There is no model ${ref} in this test.`)),
      defaultRef: () => Promise.resolve(model?.ref ?? 'scripted/one'),
    },
    tools: [],
    ask: undefined,
    hooks: {},
    policy: choosePolicy(settings),
    estimate: estimateTokens,
    strategies: () => Promise.resolve([]),
    secrets: () => [],
    pool: { enter: () => Promise.resolve(() => {}), refuseFull: () => {} },
    spend: { check: () => Promise.resolve(), note: () => Promise.resolve() },
    clock: {
      ...systemClock,
      random: () => 0.5,
      wait: (_, signal) => (signal.aborted ? Promise.reject(signal.reason) : Promise.resolve()),
    },
    ...parts,
  }
}
