import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { measureBranches, measureSpace } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { parseDays } from '../args/days.ts'
import type { Context } from '../context.ts'
import { doneJson, doneLines, planJson, planLines } from '../house/gc-report.ts'
import { applyGc, type GcRule, planGc } from '../house/plan-gc.ts'
import { refuseTranslated } from '../house/refuse-translated.ts'
import { branchReport, spaceReport, type Titles } from '../house/space-report.ts'
import { titleOf } from '../listing/session-table.ts'
import { paint } from '../output/style.ts'
import { withProgress } from '../output/with-progress.ts'
import { findTarget } from '../target.ts'

const MAX_JSON = 100
const PAGE = 500

export const command = defineCommand({
  positionals: [
    {
      name: 'FILE',
      help: 'one session: what takes the space in it, branch by branch',
      optional: true,
      completes: 'session',
    },
  ],
  options: {
    'older-than': {
      type: 'string',
      value: 'DAYS',
      help: 'plan to remove sessions unused for so long: 90d, 2w, 6m, 1y',
    },
    'keep-last': { type: 'string', value: 'N', help: 'keep the latest N sessions of every project, however old' },
    cwd: { type: 'string', value: 'DIR', help: 'only sessions of this project' },
    apply: { type: 'boolean', help: 'carry the plan out: what can go is moved to the trash' },
  },
  details:
    'Shows what takes the space and what could go, and changes nothing. With --apply unused blobs, and the sessions ' +
    'that --older-than names, are moved to the trash. Pinned and open sessions stay, and those with an unfinished ' +
    'answer. Age goes by the last event in a session, not by the time of its file.',
  examples: [
    ['treeline gc', 'what takes the space'],
    ['treeline gc 4f2a91c0', 'what takes the space in one session'],
    ['treeline gc --older-than 6m --keep-last 5', 'which sessions would go'],
    ['treeline gc --older-than 6m --keep-last 5 --apply', 'move them to the trash'],
  ],
  json:
    '{"applied","totals","sessions":[…],"blobs":[…],"plan":{"sessions":[{"sessionId","path","lastActiveAt",' +
    '"sizeBytes"}],"kept":{reason:count},"unusedBlobs","unusedBlobBytes","recentBlobs","damagedBlobs"},' +
    '"done":{"trashed","skipped","blobs"}|null}; with FILE ' +
    '{"path","sizeBytes","branches","fragments","deletedBytes","otherBytes","largest"}',
  async run({ args: [file], options, context }) {
    if (file !== undefined) return showBranches(context, file)
    const rule = ruleOf(context, options)
    const space = await withProgress(context, 'Measuring', async (onProgress) => {
      return measureSpace(await context.home(), await context.index(), { signal: context.signal, onProgress })
    })
    const plan = await planGc(context, rule)
    const titles = await readTitles(context)
    // Who asks by age wants to see those; what takes the space is for looking round.
    if (rule === undefined) for (const line of spaceReport(space, titles, context.out.columns)) context.out.print(line)
    for (const line of planLines(plan, titles, context.out.columns)) context.out.print(line)
    const done = options.apply ? await applyGc(context, plan) : undefined
    for (const line of doneLines(plan, done)) context.out.print(line)
    for (const { path, why } of done?.retention?.skipped ?? [])
      context.out.note(`${paint('warn', 'Stays')}: ${path}: ${why}`)
    context.out.json({
      applied: done !== undefined,
      totals: space.totals,
      sessions: space.sessions.slice(0, MAX_JSON),
      blobs: space.blobs.slice(0, MAX_JSON),
      plan: planJson(plan),
      done: done === undefined ? null : doneJson(done),
    })
    return 0
  },
})

async function showBranches(context: Context, file: string): Promise<number> {
  const path = await findTarget(context, file)
  refuseTranslated(path)
  const space = await measureBranches(await context.home(), path, { signal: context.signal })
  context.out.json({ path, ...space })
  for (const line of branchReport(space, context.out.columns)) context.out.print(line)
  return 0
}

async function readTitles(context: Context): Promise<Titles> {
  const titles = new Map<string, string>()
  if (context.out.isJson) return titles
  const index = await context.index()
  let after: string | undefined
  do {
    const page = await index.list({ source: 'treeline', empty: true, archived: true, limit: PAGE, after })
    for (const session of page.sessions) titles.set(session.path, titleOf(session))
    after = page.next
  } while (after !== undefined)
  return titles
}

interface RuleOptions {
  readonly 'older-than'?: string
  readonly 'keep-last'?: string
  readonly cwd?: string
}

function ruleOf({ cwd }: Context, options: RuleOptions): GcRule | undefined {
  const { 'older-than': age, 'keep-last': keep, cwd: project } = options
  if (age === undefined) {
    if (keep === undefined && project === undefined) return undefined
    throw new TreelineError('bad_request', '--keep-last and --cwd need --older-than: say how old sessions have to be.')
  }
  if (keep !== undefined && !/^\d{1,9}$/.test(keep)) {
    throw new TreelineError('bad_request', `--keep-last takes 0, 1, 2 …; not ${JSON.stringify(keep)}.`)
  }
  return {
    olderThanDays: parseDays('older-than', age),
    keepLast: Number(keep ?? 0),
    cwd: project === undefined ? undefined : resolve(cwd, project),
  }
}
