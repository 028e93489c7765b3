import { type Fragment, listFragments, previewColumns, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { wordOf } from '../../drawing/entry-names.ts'
import { shortIds } from '../../drawing/short-ids.ts'
import { ageText } from '../../listing/age.ts'
import { numberText } from '../../output/amount.ts'
import { nodesText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import type { Column } from '../../output/table.ts'
import { entryText } from '../../transcript/entry-text.ts'
import type { ChatActions } from '../chat-actions.ts'
import { entryWord } from '../entry-word.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_ROWS = 15
const TITLE_COLUMNS = 20

export const stashCommand: SlashCommand = {
  name: 'stash',
  args: '[ID]',
  help: () => t('what was cut off, or one part of it'),
  complete: completeNodes('first', { list: 'stash' }),
  async run(actions, rest) {
    const fragments = listFragments(actions.session.tree).reverse()
    if (fragments.length === 0) {
      return actions.show(t('The stash is empty. /prune puts things there, nothing in it is lost.'))
    }
    actions.show(rest === '' ? await listAll(actions, fragments) : await showOne(actions, fragments, rest))
  },
}

/** The latest cut first. */
async function listAll(actions: ChatActions, fragments: readonly Fragment[]): Promise<string> {
  const { session } = actions
  const shown = fragments.slice(0, MAX_ROWS)
  const entries = await session.readEntries(shown.map(({ fragmentId }) => fragmentId))
  const shortId = shortIds(session.tree)
  const hasTitles = shown.some(({ title }) => title !== undefined)
  const rows = shown.map(({ fragmentId, nodeCount, createdAt, title = '' }, i) => [
    shortId(fragmentId),
    numberText(nodeCount),
    ageText(createdAt),
    ...(hasTitles ? [previewColumns(title, TITLE_COLUMNS)] : []),
    entries[i] === undefined ? '' : entryText(entries[i]),
  ])
  const columns: readonly Column[] = [
    { title: t('id') },
    { title: t('nodes'), align: 'right' },
    { title: t('cut off') },
    ...(hasTitles ? [{ title: t('title') }] : []),
    { title: t('begins with'), flexible: true },
  ]
  const hint = t('/stash ID shows one, /graft ID hangs it in here, /graft ID back where it was.')
  return [plainTable(actions, columns, rows), ...leftOut(fragments.length - shown.length), hint].join('\n')
}

async function showOne(actions: ChatActions, fragments: readonly Fragment[], named: string): Promise<string> {
  const { session } = actions
  const { tree } = session
  const fragment = findFragment(session, fragments, named)
  const { nodeCount, createdAt, fromParentId, fragmentId } = fragment
  const shortId = shortIds(tree)
  const nodes = firstNodes(tree, tree.ids.find(fragmentId))
  const entries = await session.readEntries(nodes.map(({ ref }) => tree.ids.textOf(ref)))
  const rows = nodes.map(({ ref, depth }, i) => [
    shortId(tree.ids.textOf(ref)),
    entryWord(wordOf(tree, ref)),
    `${'  '.repeat(depth)}${entries[i] === undefined ? '' : entryText(entries[i])}`,
  ])
  const columns = [{ title: t('id') }, { title: t('type') }, { title: t('text'), flexible: true }] as const
  const from = fromParentId === null ? t('the beginning') : shortId(fromParentId)
  const values = { nodes: nodesText(nodeCount), age: ageText(createdAt), from, id: shortId(fragmentId) }
  const what = t('{nodes}, cut off {age} below {from}. /graft {id} back puts it there again.', values)
  return [what, plainTable(actions, columns, rows), ...leftOut(nodeCount - nodes.length)].join('\n')
}

/** Any of its nodes may be named. */
function findFragment(session: Session, fragments: readonly Fragment[], named: string): Fragment {
  const { tree } = session
  const top = tree.ids.textOf(tree.columns.topOf(tree.ids.find(findNodeHere(session, named))))
  const found = fragments.find(({ fragmentId }) => fragmentId === top)
  if (found !== undefined) return found
  throw new TreelineError('bad_request', t('{named} is not in the stash. /stash lists what is.', { named }))
}

/** With how far each is below the last place where ways part: what follows in a row stands in a column. */
function firstNodes({ columns }: Tree, top: number): { readonly ref: number; readonly depth: number }[] {
  const nodes: { readonly ref: number; readonly depth: number }[] = []
  const depths = new Map([[top, 0]])
  for (const ref of columns.subtree(top)) {
    if (nodes.length === MAX_ROWS) break
    const depth = depths.get(ref) ?? 0
    nodes.push({ ref, depth })
    const children = columns.children(ref)
    for (const child of children) depths.set(child, depth + (children.length > 1 ? 1 : 0))
  }
  return nodes
}

function leftOut(count: number): readonly string[] {
  if (count <= 0) return []
  if (count === 1) return [t('1 more is not shown: /tree shows all.')]
  return [t('{count} more are not shown: /tree shows all.', { count: numberText(count) })]
}
