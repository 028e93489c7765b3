import { branchCommand, branchesCommand, treeCommand } from './branches.ts'
import { compactCommand } from './compact.ts'
import { configCommand } from './config.ts'
import { copyCommand } from './copy.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { forkCommand } from './fork.ts'
import { goCommand } from './go.ts'
import { graftCommand } from './graft.ts'
import { helpCommand } from './help.ts'
import { keysCommand } from './keys.ts'
import { labelCommand } from './label.ts'
import { lineCommand } from './line.ts'
import { mergeCommand } from './merge.ts'
import { modeCommand } from './mode.ts'
import { modelCommand } from './model.ts'
import { muteCommand, unmuteCommand } from './mute.ts'
import { nameCommand } from './name.ts'
import { newCommand } from './new.ts'
import { pruneCommand } from './prune.ts'
import { quitCommand } from './quit.ts'
import { resumeCommand } from './resume.ts'
import { searchCommand } from './search.ts'
import type { SlashCommand } from './slash-command.ts'
import { stashCommand } from './stash.ts'
import { statsCommand } from './stats.ts'
import { thinkingCommand } from './thinking.ts'
import { toolsCommand } from './tools.ts'
import { redoCommand, undoCommand } from './undo.ts'

/** As help lists them: sessions, the tree, what the model gets, how it works, the rest. */
export const slashCommands: readonly SlashCommand[] = [
  helpCommand(() => slashCommands),
  keysCommand,
  newCommand,
  resumeCommand,
  nameCommand,
  forkCommand,
  searchCommand,
  exportCommand,
  treeCommand,
  branchCommand,
  branchesCommand,
  goCommand,
  labelCommand,
  mergeCommand,
  pruneCommand,
  stashCommand,
  graftCommand,
  undoCommand,
  redoCommand,
  muteCommand,
  unmuteCommand,
  compactCommand,
  lineCommand,
  modelCommand,
  thinkingCommand,
  modeCommand,
  toolsCommand,
  statsCommand,
  configCommand,
  doctorCommand,
  copyCommand,
  quitCommand,
]
