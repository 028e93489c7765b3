import { setThinkingLevel, type ThinkingLevel } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'
import type { SlashCommand } from './slash-command.ts'

const LEVELS: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']

export const thinkingCommand: SlashCommand = {
  name: 'thinking',
  args: '[LEVEL]',
  help: () => t('how hard the model thinks: off, low, medium, high …'),
  choices: LEVELS,
  async run(actions, rest) {
    const { agent, session } = actions
    const level = LEVELS.find((known) => known === rest.toLowerCase())
    if (rest !== '' && level === undefined) {
      throw new TreelineError('bad_request', t('Use one of {levels}: /thinking medium.', { levels: LEVELS.join(', ') }))
    }
    if (level !== undefined) await setThinkingLevel(session, level)
    const { model, line } = await agent.preview(session)
    const known = model.info.thinking
    const wanted = level ?? line.state.configuredThinkingLevel ?? agent.env.settings.thinkingLevel ?? 'off'
    if (level !== undefined) await actions.reload()
    const values = { wanted, model: model.ref, known: known.join(', ') }
    const isKnown = known.some((one) => one === wanted)
    actions.show(
      isKnown
        ? t('Thinking: {wanted}. {model} knows {known}.', values)
        : t('Thinking: {wanted}. {model} knows {known}, so the nearest is used.', values),
    )
  },
}
