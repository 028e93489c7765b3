import { TreelineError } from '@treeline/core'
import { openPromptHistory } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { ageText } from '../listing/age.ts'
import { countOption } from '../listing/count-option.ts'
import { projectOf } from '../listing/scope.ts'
import { projectText } from '../listing/session-table.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 1_000
const WIDE = 100

export const command = defineCommand({
  positionals: [{ name: 'TEXT', help: 'what the prompts contain', optional: true, rest: true, completes: 'none' }],
  options: {
    all: { type: 'boolean', short: 'a', help: 'of every project, not only of this folder' },
    cwd: { type: 'string', value: 'DIR', help: 'of this project instead of the folder you are in' },
    prefix: { type: 'boolean', help: 'only prompts that begin with TEXT' },
    distinct: { type: 'boolean', help: 'of those that say the same only the newest' },
    limit: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `how many to a page, 0 for ${MAX_LIMIT - 1} (${USUAL_LIMIT})`,
    },
    before: { type: 'string', value: 'NEXT', help: 'the page after: `next` of the one before' },
  },
  details:
    'The prompts you sent with Treeline, newest first, whatever became of their sessions. What you asked ' +
    `other tools is in their sessions: \`treeline search --role user WORDS\`.`,
  examples: [
    ['treeline history', 'what you asked in this folder'],
    ['treeline history --all --distinct fix the', 'every prompt with these words, each once'],
  ],
  json: '{"prompts":[{"id","prompt","cwd","createdAt"}],"next"}',
  async run({ args, options, context }) {
    const { out, env, signal } = context
    const text = args.join(' ').trim()
    if (options.prefix && text === '') {
      throw new TreelineError('bad_request', '--prefix needs TEXT: how the prompts begin.')
    }
    const cwd = projectOf(options, context)
    const limit = countOption('limit', options.limit, USUAL_LIMIT, MAX_LIMIT - 1)
    const before =
      options.before === undefined ? undefined : countOption('before', options.before, 0, Number.MAX_SAFE_INTEGER)
    // One more than is shown tells whether there are more.
    const wanted = { cwd, limit: limit + 1, before, distinct: options.distinct, signal }
    await using history = openPromptHistory({ home: await context.home() })
    const found =
      text === ''
        ? await history.recent(wanted)
        : await history.search(text, { ...wanted, mode: options.prefix ? 'prefix' : 'substring' })
    if (history.problem !== undefined) out.note(history.problem)
    const prompts = found.slice(0, limit)
    const next = found.length > limit ? String(prompts.at(-1)!.id) : null
    out.json({
      prompts: prompts.map(({ id, prompt, ...rest }) => {
        return { id, prompt, cwd: rest.cwd ?? null, createdAt: rest.createdAt ?? null }
      }),
      next,
    })
    if (prompts.length === 0) {
      const where = cwd === undefined ? '' : ` in ${cwd}`
      out.print(text === '' ? `No prompt was sent${where} yet.` : `No prompt${where} has these words.`)
      if (cwd !== undefined) out.print(`Those of every project: ${paint('id', 'treeline history --all')}`)
      out.print(`What was said in any tool's session: ${paint('id', 'treeline search --role user WORDS')}`)
      return 0
    }
    const hasProject = cwd === undefined
    const columns = [
      { title: 'when' },
      { title: 'prompt', flexible: true },
      ...(hasProject ? [{ title: 'project', style: 'faint', spare: 1 } as const] : []),
    ] as const
    const rows = prompts.map((one) => [
      ageText(one.createdAt),
      one.prompt,
      ...(hasProject ? [projectText(one.cwd, env.HOME, out.columns < WIDE)] : []),
    ])
    for (const line of table(columns, rows, out.columns)) out.print(line)
    if (next !== null) out.print(paint('faint', `\nThere are more: the same with --before ${next}`))
    return 0
  },
})
