import { type ApprovalMode, readAllowed, setApprovalMode } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'
import type { SlashCommand } from './slash-command.ts'

const MEANINGS: Readonly<Record<ApprovalMode, () => string>> = {
  default: () => t('what only reads runs, all else is asked about'),
  autoEdit: () => t('edits inside the project run too'),
  yolo: () => t('everything runs unasked'),
}
const MODES = Object.keys(MEANINGS) as ApprovalMode[]

export const modeCommand: SlashCommand = {
  name: 'mode',
  args: '[MODE]',
  help: () => t('what tools may do unasked: {modes}', { modes: MODES.join(', ') }),
  choices: MODES,
  async run(actions, rest) {
    const { mode: now } = readAllowed(actions.session, actions.agent.env.settings)
    if (rest === '') return actions.show(MODES.map((mode) => modeLine(mode, mode === now)).join('\n'))
    const mode = MODES.find((known) => known.toLowerCase() === rest.toLowerCase())
    if (mode === undefined) {
      throw new TreelineError('bad_request', t('Use one of {modes}: /mode autoEdit.', { modes: MODES.join(', ') }))
    }
    await setApprovalMode(actions.session, mode)
    await actions.reload()
    const tell = t('Mode {mode}: {meaning}.', { mode, meaning: MEANINGS[mode]() })
    if (mode === 'yolo') actions.warn(tell)
    else actions.show(tell)
  },
}

function modeLine(mode: ApprovalMode, isNow: boolean): string {
  return `${isNow ? '*' : ' '} ${t('/mode {mode}: {meaning}', { mode, meaning: MEANINGS[mode]() })}`
}
