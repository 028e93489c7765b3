import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { ForkOptions } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { forkTranslated } from '../editing/fork-translated.ts'
import { findNode } from '../node-of.ts'
import { counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { openTarget, typedName } from '../target.ts'

const HOW = ['path', 'subtree', 'whole'] as const

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session; the latest of this project by default', optional: true, completes: 'session' },
  ],
  options: {
    node: {
      type: 'string',
      value: 'NODE',
      help: 'the end of the path, or the top of the subtree; the leaf by default',
    },
    how: {
      type: 'string',
      value: 'WHAT',
      choices: HOW,
      help: 'the path to the node (default), all below it, or all branches',
    },
    cwd: { type: 'string', value: 'DIR', help: "the project the new session belongs to; the old one's by default" },
    name: { type: 'string', value: 'NAME', help: "what it is called; the old one's name by default" },
  },
  details:
    "This is how a session of another tool is continued: its file stays as it is, and the fork in Treeline's home " +
    'names it as its parent.',
  examples: [
    ['treeline fork 4f2a91c0 --node 1a2b3c4d', 'a new session that ends at this node'],
    [
      'treeline fork ~/.pi/agent/sessions/--x--/….jsonl --how whole',
      "go on with another tool's session, every branch of it",
    ],
  ],
  json: '{"sessionId","path","parentSession","leafId","entries","leftOut":[message]}',
  async run({ args: [file], options, context }) {
    await using opened = await openTarget(context, file)
    const { session: source, translation } = opened
    const leftOut: string[] = []
    const forkOptions: ForkOptions = {
      how: HOW.find((how) => how === options.how),
      nodeId: options.node === undefined ? source.leafId : findNode(source, options.node, typedName(opened, file)),
      cwd: options.cwd === undefined ? undefined : resolve(context.cwd, options.cwd),
      title: nameOf(options.name),
      onLeftOut: ({ message }) => leftOut.push(message),
    }
    const store = await context.store()
    await using fork =
      translation === undefined
        ? await store.fork(source, forkOptions)
        : await forkTranslated(source, store, forkOptions)
    const entries = fork.tree.rowCount
    const { id: sessionId, path, leafId } = fork
    context.out.json({ sessionId, path, parentSession: source.id, leafId, entries, leftOut })
    const what = `${paint('id', shortId(sessionId))} with ${counted(entries, 'entry', 'entries')}`
    context.out.print(`${paint('good', 'Forked')}: ${what}, from ${shortId(source.id)}`)
    context.out.print(`  ${path}`)
    for (const message of leftOut) context.out.note(paint('warn', message))
    context.out.print(paint('faint', `Look at it: treeline tree ${shortId(sessionId)}`))
    return 0
  },
})

function nameOf(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() !== '') return text?.trim()
  throw new TreelineError('bad_request', '--name is empty. Leave it out to keep the old name.')
}
