import { stat } from 'node:fs/promises'
import { TreelineError } from '@treeline/core'
import { z } from 'zod'
import { fileError } from '../files/file-error.ts'
import { resolvePath, showPath } from '../files/paths.ts'
import type { Tool } from '../tool.ts'
import { visibleLine } from '../visible-text.ts'
import { describeEnd } from './describe-end.ts'
import { runSearch } from './run-search.ts'
import { shownBelow } from './shown-below.ts'

const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1900

const input = z.strictObject({
  glob: z.string().min(1).max(500).describe('*.ts for names in any folder, src/**/*.test.ts for paths'),
  path: z.string().min(1).max(8192).optional().describe('The folder to look in; the project by default'),
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`At most so many, ${DEFAULT_LIMIT} by default`),
})
type Input = z.infer<typeof input>

export const findTool: Tool<Input> = {
  name: 'find',
  description:
    'Find files and folders by name. Paths are relative to the project, folders end in /. Leaves out .git, node_modules and what .gitignore names.',
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ glob, path = '.' }, { cwd }) => ({
    title: `find ${visibleLine(glob)} in ${showPath(cwd, resolvePath(cwd, path))}`,
  }),
  async run({ glob, path = '.', limit = DEFAULT_LIMIT }, { cwd, signal }) {
    const start = resolvePath(cwd, path)
    const shown = showPath(cwd, start)
    const found = await stat(start).catch((error) => {
      throw fileError(error, shown)
    })
    if (!found.isDirectory()) throw new TreelineError('bad_request', `${shown} is no folder.`)
    const result = await runSearch({ cwd, start, glob, limit }, signal)
    const lines = result.found.map(({ names, isFolder }) => shownBelow(shown, names) + (isFolder ? '/' : ''))
    const what = lines.length === 0 ? 'nothing found' : undefined
    const text = [...lines, ...describeEnd(result, limit, what)].join('\n')
    return { content: [{ type: 'text', text }], details: { count: lines.length, endedBy: result.endedBy } }
  },
}
