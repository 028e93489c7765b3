import { type Fragment, listFragments, preview, ROOT } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import { drawView } from '../drawing/draw-view.ts'
import { type FoldedView, foldView } from '../drawing/fold.ts'
import { readView } from '../drawing/read-view.ts'
import { shortIds } from '../drawing/short-ids.ts'
import { treeJson } from '../drawing/tree-json.ts'
import { FILTERS, type Filter } from '../drawing/tree-view.ts'
import { trunkIn } from '../drawing/trunk-in.ts'
import { counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { openTarget, typedName } from '../target.ts'
import { damageHint } from '../transcript/damage-hint.ts'

const STYLES = ['treeline', 'ids', 'typed'] as const
const MAX_LINES = 200

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', optional: true, completes: 'session' },
  ],
  options: {
    style: { type: 'string', choices: STYLES, help: 'treeline: one column; ids, typed: indented' },
    filter: { type: 'string', choices: FILTERS, help: 'what is shown' },
    depth: { type: 'string', value: 'N', help: 'only so many levels' },
    limit: { type: 'string', short: 'n', value: 'N', help: `at most so many lines, 0 for all (${MAX_LINES})` },
  },
  details:
    '● is the trunk, ○ the rest. The ids are those that mute, switch, label and the others take. Long runs without a branch are ' +
    'folded into one line (⋮) when the whole would be too long; of one that is too long even then, the end of the trunk is shown.',
  examples: [
    ['treeline tree', 'the latest session of this project'],
    ['treeline tree 4f2a91c0 --filter user', 'only what you said'],
    ['treeline tree session.jsonl --style ids --limit 0', 'all of it, with indentation'],
  ],
  json:
    '{"sessionId","leafId","roots":[{"id","type","role"?,"label"?,"muted"?,"generating"?,"children":[…]}],' +
    '"stash":[{"fragmentId","title"?,"nodeCount","fromParentId","fromIndex","createdAt","roots":[…]}]}; ' +
    'all entries, or with --filter those it shows',
  async run({ args: [file], options, context }) {
    const { out } = context
    await using opened = await openTarget(context, file)
    const { session } = opened
    if (out.isJson) {
      const view = await readView(session, (options.filter as Filter | undefined) ?? 'entries')
      for await (const piece of treeJson(session, view)) await out.raw(piece)
      return 0
    }
    const { tree } = session
    const maxLines = limitOption('limit', options.limit, MAX_LINES)
    const maxDepth = limitOption('depth', options.depth, Number.POSITIVE_INFINITY)
    const style = (options.style ?? 'treeline') as (typeof STYLES)[number]
    const view = await readView(session, (options.filter ?? 'default') as Filter)
    if (view.count === 0 && view.stash.length === 0) {
      out.print(emptyText(options.filter))
      for (const line of damageHint(opened, file)) out.print(line)
      return 0
    }
    const leaf = session.leafId === null ? ROOT : tree.ids.find(session.leafId)
    const trunk = trunkIn(tree, view, leaf)
    // The indented styles are other tools' formats: they are cut, not folded.
    const foldFrom = style === 'treeline' ? maxLines : Number.POSITIVE_INFINITY
    const folded = foldView(tree, view, { maxDepth, maxLines: foldFrom, trunk: trunk.refs })
    const drawing = { style, columns: out.columns, trunk, maxLines, shortId: shortIds(tree) }
    const drawn = await drawView(session, folded, folded.roots, drawing)
    for (const line of drawn.lines) out.print(line)
    const fragments = listFragments(tree)
    let { left } = drawn
    for (const [i, { roots }] of folded.stash.entries()) {
      out.print()
      for (const line of stashTitle(fragments[i]!, typedName(opened, file))) out.print(line)
      const stashed = await drawView(session, folded, roots, { ...drawing, trunk: { refs: [], leaf: undefined } })
      for (const line of stashed.lines) out.print(line)
      left += stashed.left
    }
    for (const line of leftOut(folded, left)) out.print(line)
    for (const line of damageHint(opened, file)) out.print(line)
    return 0
  },
})

function emptyText(filter: string | undefined): string {
  if (filter === undefined || filter === 'default' || filter === 'all') return 'The session has no messages yet.'
  return `There is nothing that --filter ${filter} shows. Without it everything is shown.`
}

function* stashTitle({ fragmentId, title, nodeCount }: Fragment, file: string): Generator<string> {
  const name = title === undefined ? '' : ` ${preview(title, 40)}`
  yield `${paint('title', 'In the stash')}${name}: ${counted(nodeCount, 'node')}`
  yield paint('faint', `  put it back with: treeline graft ${file} ${shellWord(fragmentId)} NODE`)
}

/** What is not shown, and how to see it. */
function* leftOut({ folds }: FoldedView, left: number): Generator<string> {
  if (folds.size === 0 && left === 0) return
  yield ''
  const folded = [...folds.values()].reduce((sum, { nodes }) => sum + nodes, 0)
  const more = [...folds.values()].some(({ where }) => where === 'below') ? 'a larger --depth' : '--limit 0'
  if (folded > 0) yield paint('faint', `${counted(folded, 'node')} folded (⋮): ${more} shows them, --filter user less.`)
  if (left > 0) yield paint('faint', `${counted(left, 'more node')}: --limit 0 shows all, --filter user less.`)
}
