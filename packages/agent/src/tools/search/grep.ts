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

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const input = z.strictObject({
  pattern: z.string().min(1).max(2000).describe('A JavaScript regular expression, matched line by line'),
  path: z.string().min(1).max(8192).optional().describe('A folder or file; the project by default'),
  glob: z.string().min(1).max(500).optional().describe('Only files like this: *.ts, src/**/*.{js,ts}'),
  fixed: z.boolean().optional().describe('The pattern is plain text'),
  ignoreCase: z.boolean().optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`At most so many lines, ${DEFAULT_LIMIT} by default`),
})
type Input = z.infer<typeof input>

export const grepTool: Tool<Input> = {
  name: 'grep',
  description:
    'Search the lines of text files. Gives path:line: text. Leaves out .git, node_modules, binary files and what .gitignore names.',
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ pattern, path = '.' }, { cwd }) => ({
    title: `grep ${visibleLine(pattern)} in ${showPath(cwd, resolvePath(cwd, path))}`,
  }),
  async run(given, { cwd, secrets, signal }) {
    const { path = '.', glob, limit = DEFAULT_LIMIT } = given
    const start = resolvePath(cwd, path)
    const shown = showPath(cwd, start)
    await stat(start).catch((error) => {
      throw fileError(error, shown)
    })
    const result = await runSearch({ cwd, start, glob, pattern: readPattern(given), secrets, limit }, signal)
    const lines = result.found.map(({ names, line, text }) => `${shownBelow(shown, names)}:${line}: ${text}`)
    const what = lines.length === 0 ? 'no line found' : undefined
    const text = [...lines, ...describeEnd(result, limit, what)].join('\n')
    return { content: [{ type: 'text', text }], details: { count: lines.length, endedBy: result.endedBy } }
  },
}

function readPattern({ pattern, fixed, ignoreCase }: Input): { source: string; flags: string } {
  const source = fixed === true ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : pattern
  for (const unicode of ['u', '']) {
    const flags = ignoreCase === true ? `i${unicode}` : unicode
    try {
      new RegExp(source, flags)
      return { source, flags }
    } catch (error) {
      // Many patterns people write are legal only without the stricter syntax that the flag brings.
      if (unicode !== '') continue
      const message = `${error instanceof Error ? error.message : String(error)}. Set fixed to search for it as it is.`
      throw new TreelineError('bad_request', message)
    }
  }
  throw new TreelineError('internal', 'No way to read the pattern was tried.')
}
