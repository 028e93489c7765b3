import { branchCommand, branchesCommand, treeCommand } from './branches.ts'
import { compactCommand } from './compact.ts'
import { forkCommand } from './fork.ts'
import { helpCommand } from './help.ts'
import { labelCommand } from './label.ts'
import { lineCommand } from './line.ts'
import { mergeCommand } from './merge.ts'
import { modeCommand } from './mode.ts'
import { modelCommand } from './model.ts'
import { muteCommand, unmuteCommand } from './mute.ts'
import { nameCommand } from './name.ts'
import { newCommand } from './new.ts'
import { quitCommand } from './quit.ts'
import { resumeCommand } from './resume.ts'
import { searchCommand } from './search.ts'
import type { SlashCommand } from './slash-command.ts'
import { statsCommand } from './stats.ts'
import { thinkingCommand } from './thinking.ts'
import { toolsCommand } from './tools.ts'
import { redoCommand, undoCommand } from './undo.ts'

/** As help lists them: sessions, the tree, what the model gets, how it works, the rest. */
export const slashCommands: readonly SlashCommand[] = [
  helpCommand(() => slashCommands),
  newCommand,
  resumeCommand,
  nameCommand,
  forkCommand,
  searchCommand,
  treeCommand,
  branchCommand,
  branchesCommand,
  labelCommand,
  mergeCommand,
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
  quitCommand,
]
