import { type LineStrategy, systemText } from '@treeline/core'
import type { Session } from '@treeline/store'
import { type Clock, systemClock } from '../clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { AnyTool } from '../tools/tool.ts'
import { createInstructionsReader } from './project-instructions.ts'
import { defaultSystemPrompt } from './system-prompt.ts'

export interface ProjectStrategyOptions {
  readonly cwd: string
  readonly settings: Pick<Settings, 'systemPrompt' | 'projectInstructions'>
  /** Those the model gets. */
  readonly tools: readonly Pick<AnyTool, 'effect'>[]
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/**
 * What is said to the model before all else: a system prompt (the session's own, else that of the settings, else ours)
 * and the project's instructions as they are now. The same bytes for as long as nothing of it changes (G4).
 */
export function projectStrategies({
  cwd,
  settings,
  tools,
  clock = systemClock,
}: ProjectStrategyOptions): (session: Session) => Promise<readonly LineStrategy[]> {
  const readInstructions = createInstructionsReader(cwd)
  return async (session) => {
    const own = session.config.systemPrompt
    const given = typeof own === 'string' ? own : settings.systemPrompt
    const prompt = given ?? defaultSystemPrompt({ cwd, platform: process.platform, now: clock.now(), tools })
    const text = settings.projectInstructions ? readInstructions() : ''
    const instructions: LineStrategy = {
      name: 'project-instructions',
      inject: () => [{ place: 'system', text }],
    }
    return text === '' ? [systemText(prompt)] : [systemText(prompt), instructions]
  }
}
