import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { type Call, defineCommand } from '../args/command.ts'
import { countOption } from '../listing/count-option.ts'
import { checkTool } from '../listing/known-tools.ts'
import { refreshIndex } from '../listing/refresh-index.ts'
import { readTimeRange, timeOptions } from '../listing/scope.ts'
import { nameSessions } from '../listing/session-names.ts'
import { paint } from '../output/style.ts'
import { allStatsJson, showAllStats, sumUp } from '../stats/all-stats.ts'
import { measureSession } from '../stats/measure-session.ts'
import { showSessionStats } from '../stats/show-session-stats.ts'
import { sessionStatsJson } from '../stats/stats-json.ts'
import { openTarget } from '../target.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 10_000
const TABLES = ['session', 'branch', 'model', 'day', 'tool'] as const

const options = {
  by: { type: 'string', value: 'WHAT', choices: TABLES, help: 'only this table, all of it' },
  all: { type: 'boolean', short: 'a', help: 'of every project, as without it' },
  cwd: { type: 'string', value: 'DIR', help: 'only sessions of this project; `--cwd .` is the one you are in' },
  tool: { type: 'string', value: 'NAME', help: 'only sessions of this tool: treeline, pi, xcsh, omp, neovate …' },
  ...timeOptions,
  limit: { type: 'string', short: 'n', value: 'N', help: `how many sessions, 0 for ${MAX_LIMIT} (${USUAL_LIMIT})` },
} as const

type StatsCall = Call<typeof options>

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'one session: its path, id or part of its id', optional: true, completes: 'session' },
  ],
  options,
  details:
    'Without FILE, of all sessions of all tools; with it, of one, by branch. Answers that several forks ' +
    'or branches share are counted once, for the one that was there first. Tokens and cost are what the ' +
    `tools recorded, in US dollars; days are those of this machine's time zone.`,
  examples: [
    ['treeline stats', 'everything, by tool, model, day and session'],
    ['treeline stats --cwd . --since 2w --by day', 'what this project used on each of the last days'],
    ['treeline stats 9f31c2aa', 'one session, by branch, model and day'],
  ],
  json:
    '{"totals":{"sessions","answers","usage":{"inputTokens","outputTokens","cacheReadTokens",' +
    '"cacheWriteTokens"},"cost"},"models":[{"model","answers","usage","cost"}],"days":[{"day",…}],' +
    '"tools":[{"tool",…}],"sessions":[{"id","tool","path",…}]}\nWith FILE: ' +
    '{"sessionId","path","totals":{"messages","toolCalls","answers","usage","cost"},' +
    '"branches":[{"leafId","label","trunk","nodes","messages","toolCalls","answers","usage","cost",' +
    '"path":{…}}],"elsewhere":{…},"models":[…],"days":[…]}\nOf a branch, "path" is all of it from the ' +
    'root; the rest leaves out what branches before it hold.',
  run: (call) => (call.args[0] === undefined ? statsOfAll(call) : statsOfOne(call)),
})

async function statsOfAll({ options, context }: StatsCall): Promise<number> {
  const { out } = context
  if (options.by === 'branch') {
    throw new TreelineError('bad_request', '--by branch is for one session: `treeline stats FILE --by branch`.')
  }
  const wanted = {
    cwd: options.cwd === undefined ? undefined : resolve(context.cwd, options.cwd),
    source: checkTool(options.tool),
    ...readTimeRange(options),
    limit: countOption('limit', options.limit, USUAL_LIMIT, MAX_LIMIT),
  }
  const { index } = await refreshIndex(context)
  const figures = sumUp(await index.usage(wanted))
  out.json(allStatsJson(figures))
  if (out.isJson) return 0
  const ids = figures.report.sessions.map(({ session }) => session.id)
  if (figures.totals.answers > 0) showAllStats(out, figures, options.by, await nameSessions(index, ids))
  else {
    out.print('No answer with a record of its tokens was found.')
    out.print(`Which sessions there are: ${paint('id', 'treeline ls --all')}`)
  }
  return 0
}

async function statsOfOne({ args, options, context }: StatsCall): Promise<number> {
  const { out } = context
  const unfit = (['all', 'cwd', 'tool', 'since', 'until', 'limit'] as const).find((name) => options[name] !== undefined)
  if (unfit !== undefined || options.by === 'session' || options.by === 'tool') {
    const what = unfit === undefined ? `--by ${options.by}` : `--${unfit}`
    throw new TreelineError('bad_request', `${what} is for many sessions. Leave it out, or leave FILE out.`)
  }
  await using opened = await openTarget(context, args[0])
  const { session, path } = opened
  const figures = await measureSession(session, context.signal)
  out.json({ sessionId: session.id, path, ...sessionStatsJson(figures) })
  if (options.by === undefined) out.print(`${paint('strong', session.name ?? session.id)}  ${paint('faint', path)}`)
  showSessionStats(out, figures, options.by)
  return 0
}
