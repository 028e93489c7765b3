import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { formats } from '@treeline/formats'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { createAttempts } from '../house/attempts.ts'
import { findFiles, isFolder } from '../moving/find-files.ts'
import { ImportRun, type ImportSource } from '../moving/import-run.ts'
import { paint } from '../output/style.ts'
import { findTarget } from '../target.ts'

const FORMATS = formats.map(({ name }) => name)
const PAGE = 200

export const command = defineCommand({
  positionals: [
    {
      name: 'PATH',
      help: "other tools' sessions by path or id, or folders of them",
      optional: true,
      rest: true,
      completes: 'file',
    },
  ],
  options: {
    all: { type: 'boolean', help: 'every session found in the usual places of the tools' },
    tool: { type: 'string', value: 'NAME', choices: FORMATS, help: 'with --all, only of this tool' },
    format: {
      type: 'string',
      value: 'NAME',
      choices: FORMATS,
      help: 'the tool the files are of, whatever they look like',
    },
    cwd: { type: 'string', value: 'DIR', help: 'the project new sessions belong to; by default what the file says' },
    verbose: { type: 'boolean', short: 'v', help: 'show every note, and files with nothing new' },
  },
  details:
    'Every branch is taken, with the ids it has there. The files are never changed. Importing again adds only what ' +
    'is new, and leaves alone what was done to the session here. Sessions of Pi, xcsh and oh-my-pi can also be used ' +
    'where they are.',
  examples: [
    ['treeline import chat.json', 'take one in'],
    ['treeline import 3f2a9c1d', 'one that `treeline ls --all` shows'],
    ['treeline import ~/.neovate/projects', 'every session below a folder'],
    ['treeline import --all', 'everything that is found'],
  ],
  json:
    '{"imported":[{"source","sessionId","path","format","isNew","added","skipped","notes":[{"kind","message",…}]}],' +
    '"failed":[{"name","code","message"}],"passedOver":[path]}',
  async run({ args, options, context }) {
    const { all, tool, verbose = false } = options
    if (args.length === 0 && !all) {
      throw new TreelineError('bad_request', 'PATH is missing: give files or folders, or --all for everything found.')
    }
    if (args.length > 0 && all) throw new TreelineError('bad_request', 'Give PATH or --all, not both.')
    if (tool !== undefined && !all) throw new TreelineError('bad_request', '--tool goes with --all.')
    const attempts = createAttempts(context)
    const sources = all ? await findAll(context, tool) : []
    for (const arg of args) {
      await attempts.attempt(arg, async () => {
        sources.push(...findNamed(context, await findNamedPath(context, arg)))
      })
    }
    const work = new ImportRun(context, { ...options, verbose })
    const bar = context.progress('Importing')
    try {
      for (const [done, source] of sources.entries()) {
        bar.update(done, sources.length)
        const isDone = await attempts.attempt(source.path, async () => {
          await work.take(source, () => bar.end())
        })
        if (!isDone) bar.end()
      }
    } finally {
      bar.end()
    }
    context.out.json({ imported: work.imported, failed: attempts.failed, passedOver: work.passedOver })
    work.tellTotals(attempts.failed.length)
    return attempts.exitCode
  },
})

/** What is there by that name goes before a session of such an id. */
async function findNamedPath(context: Context, text: string): Promise<string> {
  const path = resolve(context.cwd, text)
  return existsSync(path) ? path : findTarget(context, text)
}

function findNamed({ out }: Context, path: string): readonly ImportSource[] {
  const { files, unread } = findFiles(path)
  for (const folder of unread) out.note(paint('warn', `${folder} cannot be read and was left out.`))
  const isNamed = !isFolder(path)
  return files.map((file) => ({ path: file, isNamed }))
}

async function findAll(context: Context, tool: string | undefined): Promise<ImportSource[]> {
  const index = await context.index()
  const bar = context.progress('Looking')
  const report = await index
    .refresh({ signal: context.signal, onProgress: ({ bytesDone, bytesTotal }) => bar.update(bytesDone, bytesTotal) })
    .finally(() => bar.end())
  for (const { path, problem } of report.problems) context.out.note(paint('warn', `${path}: ${problem}`))
  const found: ImportSource[] = []
  let after: string | undefined
  do {
    const page = await index.list({ source: tool, empty: true, archived: true, limit: PAGE, after })
    for (const { source, path } of page.sessions) if (source !== 'treeline') found.push({ path, isNamed: false })
    after = page.next
  } while (after !== undefined)
  return found
}
