import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { applyScrub, planScrub, type ScrubPlan, type ScrubReport } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { wrap } from '../output/wrap.ts'

const MAX_LISTED = 50

export const command = defineCommand({
  positionals: [],
  options: {
    stdin: { type: 'boolean', help: 'read the secret from standard input' },
    file: { type: 'string', value: 'FILE', help: 'read the secret from a file' },
    force: { type: 'boolean', help: 'also a secret of fewer than six characters' },
    yes: { type: 'boolean', short: 'y', help: 'do it without asking' },
  },
  details:
    'Removes a text for good from logs, blobs, kept originals, partial answers, trash, index and prompt history. It ' +
    'cannot be taken back, and no original is kept. The secret is asked for at the terminal, or read with --stdin or ' +
    '--file; there is no way to give it on the command line, where the shell would keep it. Shows first where it is; ' +
    'without --yes it asks, and where nobody can be asked nothing is changed.',
  examples: [
    ['treeline scrub', 'type the secret unseen, look, then confirm'],
    ['pass show api-key | treeline scrub --stdin', 'only look where it is'],
    ['pass show api-key | treeline scrub --stdin --yes', 'remove it everywhere'],
  ],
  json:
    '{"applied","places":[{"path","area","sessionId","count","lines"}],"prompts","refusals":[{"path","line",' +
    '"reason"}],"notReached":[…],"done":{"files","prompts","sessionIds","left":[path]}|null}; never the secret',
  async run({ options, context }) {
    const secret = await readSecret(context, options)
    const home = await context.home()
    const { signal } = context
    const bar = context.progress('Looking')
    const plan = await planScrub(home, secret, {
      force: options.force,
      signal,
      onProgress: (done, total) => bar.update(done, total),
    }).finally(() => bar.end())
    show(context, plan)
    const isMeant = !plan.isEmpty && (options.yes || (await asks(context, plan)))
    const done = isMeant ? await applyScrub(home, plan, { confirm: true, signal }) : undefined
    context.out.json(asJson(plan, done))
    if (done !== undefined) return tellDone(context, done)
    if (!plan.isEmpty) context.out.print('Nothing was changed. `--yes` removes it.')
    return 0
  },
})

interface SecretOptions {
  readonly stdin?: boolean
  readonly file?: string
}

/** Never from an argument: those stay in the shell's history and are seen by every process. */
async function readSecret(context: Context, { stdin, file }: SecretOptions): Promise<string> {
  if (stdin && file !== undefined) throw new TreelineError('bad_request', 'Give --stdin or --file, not both.')
  if (stdin) return withoutLineEnd(await context.readInput())
  if (file !== undefined) return withoutLineEnd(readSecretFile(resolve(context.cwd, file)))
  if (context.canAsk) return context.askHidden('The text to remove for good (it is not shown):')
  throw new TreelineError(
    'bad_request',
    'Say what to remove: --stdin reads it from standard input, --file from a file.',
  )
}

function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new TreelineError(
      'bad_request',
      `The secret cannot be read: ${(error as Error).message}.`,
      {},
      { cause: error },
    )
  }
}

/** Editors and `echo` add one that does not belong to it. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function show({ out }: Context, { places, historyCount, refusals, notReached, isEmpty }: ScrubPlan): void {
  if (isEmpty) out.print('It was found nowhere in the home.')
  else {
    const columns = [
      { title: 'area' },
      { title: 'session', style: 'id' },
      { title: 'places', align: 'right', spare: 1 },
      { title: 'file', flexible: true },
    ] as const
    const rows = places.slice(0, MAX_LISTED).map(({ area, sessionId, count, path }) => {
      return [area, sessionId === undefined ? '' : shortId(sessionId), String(count), basename(path)]
    })
    if (rows.length > 0) for (const line of table(columns, rows, out.columns)) out.print(line)
    if (places.length > MAX_LISTED) out.print(paint('faint', `and ${places.length - MAX_LISTED} more files`))
    if (historyCount > 0) out.print(`${counted(historyCount, 'prompt')} of the history`)
  }
  for (const { path, line, reason } of refusals) out.print(paint('bad', `Line ${line} of ${path}: ${reason}`))
  out.print()
  out.print(paint('title', 'Out of reach, see to it yourself'))
  for (const text of notReached) for (const line of wrap(text, out.columns - 2)) out.print(`  ${line}`)
}

async function asks(context: Context, { places }: ScrubPlan): Promise<boolean> {
  if (!context.canAsk) return false
  return context.confirm(
    `Remove it from ${counted(places.length, 'file')} for good? This cannot be taken back.`,
    '--yes',
  )
}

function asJson({ places, historyCount, refusals, notReached }: ScrubPlan, done: ScrubReport | undefined) {
  return {
    applied: done !== undefined,
    places,
    prompts: historyCount,
    refusals,
    notReached,
    done:
      done === undefined
        ? null
        : {
            files: done.files,
            prompts: done.prompts,
            sessionIds: done.sessionIds,
            left: done.left.places.map(({ path }) => path),
          },
  }
}

function tellDone({ out }: Context, { files, prompts, left }: ScrubReport): number {
  out.print(
    `${paint('good', 'Removed')}: ${counted(files, 'file')} written anew or deleted, ${counted(prompts, 'prompt')}.`,
  )
  if (left.isEmpty) return 0
  out.note(
    paint(
      'bad',
      `It was said again meanwhile and is still in ${counted(left.places.length, 'file')}. Run it once more.`,
    ),
  )
  return 1
}
