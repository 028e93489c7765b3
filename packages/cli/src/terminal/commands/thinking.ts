import { setThinkingLevel, type ThinkingLevel } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { SlashCommand } from './slash-command.ts'

const LEVELS: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']

export const thinkingCommand: SlashCommand = {
  name: 'thinking',
  args: '[LEVEL]',
  help: 'how hard the model thinks: off, low, medium, high …',
  choices: LEVELS,
  async run(actions, rest) {
    const { agent, session } = actions
    const level = LEVELS.find((known) => known === rest.toLowerCase())
    if (rest !== '' && level === undefined) {
      throw new TreelineError('bad_request', `Use one of ${LEVELS.join(', ')}: /thinking medium.`)
    }
    if (level !== undefined) await setThinkingLevel(session, level)
    const { model, line } = await agent.preview(session)
    const known = model.info.thinking
    const wanted = level ?? line.state.configuredThinkingLevel ?? agent.env.settings.thinkingLevel ?? 'off'
    if (level !== undefined) await actions.reload()
    const misfit = known.some((one) => one === wanted) ? '' : ', so the nearest is used'
    actions.show(`Thinking: ${wanted}. ${model.ref} knows ${known.join(', ')}${misfit}.`)
  },
}
