import type { IndexedSession } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { countOption } from '../listing/count-option.ts'
import { emptyList } from '../listing/empty-list.ts'
import { checkTool } from '../listing/known-tools.ts'
import { refreshIndex } from '../listing/refresh-index.ts'
import { projectOf, readTimeRange, timeOptions } from '../listing/scope.ts'
import { sessionJson } from '../listing/session-json.ts'
import { type NameOf, nameSessions } from '../listing/session-names.ts'
import { sessionTable } from '../listing/session-table.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 10_000
/** So soon after a look at everything a look at what is likely to have changed will do (ADR 5). */
const WITHIN_MS = 10_000

export const command = defineCommand({
  positionals: [
    {
      name: 'TEXT',
      help: 'words that name, first prompt or project contain',
      optional: true,
      rest: true,
      completes: 'none',
    },
  ],
  options: {
    all: { type: 'boolean', short: 'a', help: 'of every project, not only of this folder' },
    tool: { type: 'string', value: 'NAME', help: 'only sessions of this tool: treeline, pi, xcsh, omp, neovate …' },
    cwd: { type: 'string', value: 'DIR', help: 'of this project instead of the folder you are in' },
    match: { type: 'string', value: 'TEXT', help: 'the same as TEXT' },
    ...timeOptions,
    empty: { type: 'boolean', help: 'also sessions in which nothing was asked' },
    archived: { type: 'boolean', help: 'also archived sessions' },
    limit: { type: 'string', short: 'n', value: 'N', help: `how many to a page, 0 for ${MAX_LIMIT} (${USUAL_LIMIT})` },
    after: { type: 'string', value: 'NEXT', help: 'the page after: `next` of the one before' },
  },
  details:
    `Lists the sessions of the folder you are in, last active first: Treeline's own and those of every ` +
    'tool that is found in its usual place. They are read where they are and never changed. The first ' +
    'time all of them are read to make an index; after that only what changed is.',
  examples: [
    ['treeline ls', 'the sessions of this project'],
    ['treeline ls --all --tool pi --since 2w', "Pi's sessions of the last two weeks, of every project"],
    ['treeline ls --all flaky test', 'sessions whose name or first prompt has these words'],
  ],
  json:
    '{"sessions":[{"id","tool","path","cwd","parentSession","name","firstPrompt","createdAt",' +
    '"lastActiveAt","entries","messages","branches","leafId","models":[],"usage":{"inputTokens",' +
    '"outputTokens","cacheReadTokens","cacheWriteTokens"},"cost","ownUsage":{…},"ownCost","tags":[],' +
    '"pinned","archived","sizeBytes","damage","problem"}],"next","problems":[{"path","problem"}]}\nWhat ' +
    'is not known is null. "own" leaves out what a fork copied from a session that was there before it.',
  async run({ args, options, context }) {
    const { out, env } = context
    const cwd = projectOf(options, context)
    const match = [...args, options.match ?? ''].join(' ').trim()
    const wanted = {
      cwd,
      source: checkTool(options.tool),
      ...readTimeRange(options),
      match: match === '' ? undefined : match,
      empty: options.empty,
      archived: options.archived,
      after: options.after,
      limit: countOption('limit', options.limit, USUAL_LIMIT, MAX_LIMIT),
    }
    const { index, problems } = await refreshIndex(context, { withinMs: WITHIN_MS })
    const { sessions, next } = await index.list({ ...wanted, refreshed: true })
    out.json({ sessions: sessions.map(sessionJson), next: next ?? null, problems })
    if (out.isJson) return 0
    if (sessions.length === 0) {
      for (const line of await emptyList(context, index, wanted)) out.print(line)
      return 0
    }
    const ids = sessions.map(({ id }) => id)
    const nameOf = await nameSessions(index, ids)
    const shape = { width: out.columns, hasProject: cwd === undefined, userHome: env.HOME, nameOf }
    for (const line of sessionTable(sessions, shape)) out.print(line)
    for (const line of asides(sessions, nameOf)) out.print(paint('faint', line))
    if (next !== undefined) out.print(paint('faint', `\nThere are more: the same with --after ${next}`))
    return 0
  },
})

/** What the table has no room for. */
function* asides(sessions: readonly IndexedSession[], nameOf: NameOf): Generator<string> {
  const namedBy = ({ id, path }: IndexedSession) => shellWord(id === undefined ? path : nameOf(id))
  const damaged = sessions.find(({ damageCount, problem }) => damageCount > 0 || problem !== undefined)
  if (damaged !== undefined) yield `\nWhat is the matter with a damaged one: treeline doctor ${namedBy(damaged)}`
  const nameless = sessions.find(({ id }) => id === undefined)
  if (nameless !== undefined) yield `\nOne without an id (?) goes by its path: treeline tree ${namedBy(nameless)}`
}
