import { type ApprovalMode, setApprovalMode } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { SlashCommand } from './slash-command.ts'

const MEANINGS: Readonly<Record<ApprovalMode, string>> = {
  default: 'what only reads runs, all else is asked about',
  autoEdit: 'edits inside the project run too',
  yolo: 'everything runs unasked',
}
const MODES = Object.keys(MEANINGS) as ApprovalMode[]

export const modeCommand: SlashCommand = {
  name: 'mode',
  args: '[MODE]',
  help: `what tools may do unasked: ${MODES.join(', ')}`,
  choices: MODES,
  async run(actions, rest) {
    if (rest === '') return actions.show(MODES.map((mode) => `/mode ${mode}: ${MEANINGS[mode]}`).join('\n'))
    const mode = MODES.find((known) => known.toLowerCase() === rest.toLowerCase())
    if (mode === undefined) {
      throw new TreelineError('bad_request', `Use one of ${MODES.join(', ')}: /mode autoEdit.`)
    }
    await setApprovalMode(actions.session, mode)
    await actions.reload()
    const tell = `Mode ${mode}: ${MEANINGS[mode]}.`
    if (mode === 'yolo') actions.warn(tell)
    else actions.show(tell)
  },
}
