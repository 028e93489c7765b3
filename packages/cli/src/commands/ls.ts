import { defineCommand } from '../args/command.ts'
import { countOption } from '../listing/count-option.ts'
import { emptyList } from '../listing/empty-list.ts'
import { checkTool } from '../listing/known-tools.ts'
import { type ListedSessions, sessionLines } from '../listing/print-sessions.ts'
import { refreshIndex } from '../listing/refresh-index.ts'
import { openSavedList, type SavedList } from '../listing/saved-list.ts'
import { projectOf, readTimeRange, timeOptions } from '../listing/scope.ts'
import { sessionJson } from '../listing/session-json.ts'
import { nameSessions } from '../listing/session-names.ts'
import type { Output } from '../output/output.ts'
import { jsonLine } from '../output/safe-json.ts'

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
    const { out } = context
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
    const saved = openSavedList(context, wanted, WITHIN_MS)
    const linesOf = (list: ListedSessions) => sessionLines(context, list, cwd === undefined)
    if (showSaved(out, saved, linesOf)) return 0
    const { index, problems } = await refreshIndex(context, { withinMs: WITHIN_MS })
    await saved.keep(index, async () => {
      const { sessions, next } = await index.list({ ...wanted, refreshed: true })
      // What could not be read is told of each time, and where there is nothing, it is said where it was looked for.
      const keepable = (page: Uint8Array) => (problems.length === 0 && sessions.length > 0 ? page : undefined)
      if (out.isJson) {
        const line = jsonLine({ sessions: sessions.map(sessionJson), next: next ?? null, problems })
        out.jsonLine(line)
        return keepable(line)
      }
      if (sessions.length === 0) {
        for (const line of await emptyList(context, index, wanted)) out.print(line)
        return undefined
      }
      const nameOf = await nameSessions(
        index,
        sessions.map(({ id }) => id),
      )
      const list: ListedSessions = { sessions, next, names: sessions.map(({ id }) => nameOf(id)) }
      for (const line of linesOf(list)) out.print(line)
      return keepable(Buffer.from(JSON.stringify(list)))
    })
    return 0
  },
})

/** Where what was saved cannot be shown, nothing is: whoever damaged it, the index knows better (I6). */
function showSaved(out: Output, saved: SavedList, linesOf: (list: ListedSessions) => readonly string[]): boolean {
  const page = saved.find()
  if (page === undefined) return false
  if (out.isJson) return out.jsonLine(page)
  let lines: readonly string[]
  try {
    lines = linesOf(JSON.parse(page.toString()))
  } catch {
    return false
  }
  for (const line of lines) out.print(line)
  return true
}
