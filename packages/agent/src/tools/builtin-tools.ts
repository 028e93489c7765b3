import type { Settings } from '../settings/settings.ts'
import { editTool } from './files/edit.ts'
import { lsTool } from './files/ls.ts'
import { readTool } from './files/read.ts'
import { writeTool } from './files/write.ts'
import { findTool } from './search/find.ts'
import { grepTool } from './search/grep.ts'
import { listBranchesTool } from './session/list-branches.ts'
import { readBranchTool } from './session/read-branch.ts'
import { searchSessionTool } from './session/search-session.ts'
import { createBashTool } from './shell/bash.ts'
import type { AnyTool } from './tool.ts'

/** The tools every model gets, always in this order; `tools` names those that are wanted, all by default. */
export function builtinTools({ bashTimeoutMs, tools }: Pick<Settings, 'bashTimeoutMs' | 'tools'>): readonly AnyTool[] {
  const all: readonly AnyTool[] = [
    readTool,
    writeTool,
    editTool,
    createBashTool(bashTimeoutMs),
    lsTool,
    grepTool,
    findTool,
    listBranchesTool,
    readBranchTool,
    searchSessionTool,
  ]
  return tools === undefined ? all : all.filter(({ name }) => tools.includes(name))
}
