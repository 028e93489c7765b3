import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { resolveSession, type SearchRole, type SessionIndex } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { countOption } from '../listing/count-option.ts'
import { checkTool } from '../listing/known-tools.ts'
import { refreshIndex } from '../listing/refresh-index.ts'
import { readTimeRange, timeOptions } from '../listing/scope.ts'
import { nameSessions, wholeId } from '../listing/session-names.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { wholeEnd } from '../output/whole-end.ts'
import { hitJson } from '../searching/hit-json.ts'
import { hitLines, namelessHits } from '../searching/hit-lines.ts'
import { noHits } from '../searching/no-hits.ts'
import { openTarget } from '../target.ts'

const USUAL_LIMIT = 20
const MAX_LIMIT = 500
const ROLES = ['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'summary', 'system', 'other'] as const

export const command = defineCommand({
  positionals: [{ name: 'QUERY', help: 'words to look for', rest: true, completes: 'none' }],
  options: {
    role: { type: 'string', value: 'ROLE', choices: ROLES, help: 'only what this one said' },
    called: { type: 'string', value: 'NAME', help: 'only calls and results of a tool the model used, such as bash' },
    error: { type: 'boolean', help: 'only what failed' },
    path: { type: 'string', value: 'PART', help: 'only tools that worked on a file with this in its path' },
    all: { type: 'boolean', short: 'a', help: 'of every project, as without it' },
    tool: { type: 'string', value: 'NAME', help: 'only sessions of this tool: treeline, pi, xcsh, omp, neovate …' },
    cwd: { type: 'string', value: 'DIR', help: 'only sessions of this project; `--cwd .` is the one you are in' },
    session: { type: 'string', value: 'FILE', help: 'only this session' },
    ...timeOptions,
    muted: { type: 'boolean', help: 'only muted nodes' },
    deleted: { type: 'boolean', help: 'also deleted nodes' },
    limit: { type: 'string', short: 'n', value: 'N', help: `how many to a page, 0 for ${MAX_LIMIT} (${USUAL_LIMIT})` },
    after: { type: 'string', value: 'NEXT', help: 'the page after: `next` of the one before' },
  },
  details:
    'Searches every session of every project, of Treeline and of the other tools, newest first. All words ' +
    'have to be there, in any order, whatever their case and accents, also as part of a longer word. ' +
    'Inside the query, "several words" in double quotes have to stand together and -word must not be ' +
    'there; quote the whole for the shell.',
  examples: [
    ['treeline search flaky test', 'nodes that have both words'],
    [`treeline search '"out of memory" -docker'`, 'these three words together, without docker'],
    ['treeline search timeout --called bash --error --since 2w --cwd .', "this project's failed commands"],
  ],
  json:
    '{"hits":[{"sessionId","sessionName","tool","path","cwd","nodeId","role","time","toolsCalled":[],' +
    '"error","muted","pruned","deleted","snippet":{"text","matches":[[from,to]]}}],"next",' +
    `"problems":[{"path","problem"}]}\n"matches" are ranges of the snippet's text. "tool" is whose ` +
    'session it is.',
  async run({ args, options, context }) {
    const { out, signal } = context
    const query = args.join(' ')
    if (!/[^\s"]/.test(query)) throw new TreelineError('bad_request', 'QUERY is empty: give words to look for.')
    const wanted = {
      role: options.role as SearchRole | undefined,
      tool: options.called,
      error: options.error ? true : undefined,
      path: options.path,
      cwd: options.cwd === undefined ? undefined : resolve(context.cwd, options.cwd),
      source: checkTool(options.tool, ' For a tool that the model called: --called NAME.'),
      ...readTimeRange(options),
      muted: options.muted ? true : undefined,
      deleted: options.deleted,
      limit: countOption('limit', options.limit, USUAL_LIMIT, MAX_LIMIT),
      after: options.after,
      signal,
    }
    const { index, problems } = await refreshIndex(context)
    const sessionId = options.session === undefined ? undefined : await findSessionId(context, index, options.session)
    const { hits, next } = await index.search(query, { ...wanted, sessionId })
    out.json({ hits: hits.map(hitJson), next: next ?? null, problems })
    const [first] = hits
    if (first === undefined) {
      for (const line of noHits(query, options)) out.print(line)
      return 0
    }
    if (out.isJson) return 0
    const ids = hits.map(({ sessionId }) => sessionId)
    const nameOf = await nameSessions(index, ids)
    for (const line of hitLines(hits, out.columns, nameOf)) out.print(line)
    const session = namelessHits(hits).has(first.path) ? first.path : nameOf(first.sessionId)
    const read = paint('id', `treeline show ${shellWord(session)} ${shellWord(first.nodeId)}`)
    out.print()
    for (const line of wholeEnd(out, 'Read one:', read)) out.print(line)
    if (next === undefined) return 0
    for (const line of wholeEnd(out, 'There are more: the same with', `--after ${next}`))
      out.print(paint('faint', line))
    return 0
  },
})

/** Also by its path, if it is one of those that are searched. */
async function findSessionId(context: Context, index: SessionIndex, text: string): Promise<string> {
  const { path, session } = await resolveSession(index, await wholeId(index, text), { cwd: context.cwd })
  if (session?.id !== undefined) return session.id
  await using opened = await openTarget(context, path)
  const { id } = opened.session
  const known = id === '' ? [] : await index.find(id)
  if (known.some((found) => found.id === id)) return id
  const shown = shellWord(path)
  throw new TreelineError(
    'session_not_found',
    `${path} is in none of the places that are searched. \`treeline import ${shown}\` takes it in.`,
  )
}
