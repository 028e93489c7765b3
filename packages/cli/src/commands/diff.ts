import { plainText, preview, textOf } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import { type ComparedNode, compareBranches, type Side } from '../comparing/compare-branches.ts'
import { aroundChanges, diffLines } from '../comparing/line-diff.ts'
import { shortIds } from '../drawing/short-ids.ts'
import { findNode } from '../node-of.ts'
import { counted } from '../output/amount.ts'
import { printDocument } from '../output/print-document.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { costText, tokensText } from '../stats/figures.ts'
import { openTarget, typedName } from '../target.ts'

const MAX_ROWS = 20
const MAX_CHANGED_LINES = 60

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    { name: 'A', help: 'the end of one branch: an id, a part of it, a label, or `leaf`' },
    { name: 'B', help: 'the end of the other' },
  ],
  options: {
    limit: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `at most so many nodes of each, and lines; 0 for all (${MAX_ROWS})`,
    },
  },
  details: 'What each branch has after the last node that both share. `treeline branches` lists what can be compared.',
  examples: [['treeline diff 4f2a91c0 leaf 1a2b3c4d', 'the trunk and another branch']],
  json:
    '{"sessionId","ancestorId","a":{"leafId","nodes":[{"id","type","role"?,"text","tokens"}],"tokens","cost","models"},' +
    '"b":{…}}; nodes are those after the ancestor, tokens an estimate, cost in US dollars as recorded',
  async run({ args: [file, first, second], options, context }) {
    const { out } = context
    const max = limitOption('limit', options.limit, MAX_ROWS)
    await using opened = await openTarget(context, file)
    const { session } = opened
    const name = typedName(opened, file)
    const [idA, idB] = [first!, second!].map((text) => findNode(session, text, name))
    const { ancestorId, a, b } = await compareBranches(session, idA!, idB!)
    if (out.isJson) {
      await printDocument(out, { sessionId: session.id, ancestorId, a, b })
      return 0
    }
    const shortId = shortIds(session.tree)
    const ancestor = ancestorId === null ? undefined : await session.readEntry(ancestorId)
    const from = ancestorId === null ? 'They share nothing.' : `They part after ${paint('id', shortId(ancestorId))}`
    out.print(ancestor === undefined ? from : `${from}  ${preview(textOf(ancestor), 50)}`)
    for (const [name, side] of [
      ['A', a],
      ['B', b],
    ] as const) {
      out.print()
      for (const line of sideLines(name, side, { max, columns: out.columns, shortId })) out.print(line)
    }
    for (const line of firstDifference(a, b, options.limit === undefined ? MAX_CHANGED_LINES : max)) out.print(line)
    return 0
  },
})

interface SideOptions {
  readonly max: number
  readonly columns: number
  readonly shortId: (id: string) => string
}

function* sideLines(name: string, side: Side, { max, columns, shortId }: SideOptions): Generator<string> {
  const { nodes, tokens, cost, models, leafId } = side
  const about = [
    counted(nodes.length, 'node'),
    `about ${tokensText(tokens)} tokens`,
    ...(cost === 0 ? [] : [costText(cost)]),
    ...models,
  ]
  yield `${paint('title', `${name}: ${shortId(leafId)}`)}  ${about.join(', ')}`
  if (nodes.length === 0) {
    yield paint('faint', '  Nothing of its own: the other branch goes on from here.')
    return
  }
  const rows = nodes
    .slice(0, max)
    .map(({ id, role, type, tokens: size, text }) => [shortId(id), role ?? type, tokensText(size), text])
  yield* table(
    [
      { title: 'node', style: 'id' },
      { title: 'type', style: 'role' },
      { title: '~tokens', align: 'right', spare: 1 },
      { title: 'text', flexible: true },
    ],
    rows,
    columns,
  )
  if (nodes.length > max) yield paint('faint', `${counted(nodes.length - max, 'more node')}: --limit 0 shows all.`)
}

/** Where both go on with the same kind of message, its words side against side. */
function* firstDifference({ nodes: [a] }: Side, { nodes: [b] }: Side, max: number): Generator<string> {
  if (a === undefined || b === undefined || wordOf(a) !== wordOf(b) || a.text === b.text) return
  yield ''
  yield `${paint('title', `The first ${wordOf(a)} message`)}  ${paint('bad', '- A')}  ${paint('good', '+ B')}`
  const lines = aroundChanges(diffLines(plainText(a.text), plainText(b.text)))
  for (const line of lines.slice(0, max)) {
    if (line === undefined) yield paint('faint', '  …')
    else if (line.mark === ' ') yield `  ${line.text}`
    else yield paint(line.mark === '-' ? 'bad' : 'good', `${line.mark} ${line.text}`)
  }
  if (lines.length > max) yield paint('faint', `${counted(lines.length - max, 'more line')}: --limit 0 shows all.`)
}

function wordOf({ role, type }: ComparedNode): string {
  return role ?? type
}
