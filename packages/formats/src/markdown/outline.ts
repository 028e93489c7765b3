import { listFragments, preview, ROOT, type Tree, textOf } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink } from '../format.ts'
import type { FormatNote } from '../note.ts'
import type { Chosen } from '../transcript/chosen.ts'
import { readNodes } from '../transcript/read-nodes.ts'
import { escapeInline } from './escape-prose.ts'

interface OutlineOptions {
  readonly redact: boolean
  readonly notes: FormatNote[]
}

/** Where a branch begins, how deep it hangs in other branches, and how many nodes it has up to its next fork or end. */
interface Stretch {
  readonly top: number
  readonly depth: number
  length: number
}

/** Deeper lists than this are code blocks to some renderers and unreadable to people. */
const MAX_INDENT = 6
const MAX_WORDS = 100

/** The branches beside the trunk and what is in the stash, one line for each stretch without a fork. */
export async function writeOutline(
  session: Session,
  { tree, trunk, nodes }: Chosen,
  sink: Sink,
  options: OutlineOptions,
): Promise<void> {
  const others = findStretches(tree, nodes, new Set(trunk))
  if (others.length > 0) await sink('## Other branches\n\n')
  await writeList(session, tree, others, sink, options)
  const tops = listFragments(tree).map((fragment) => tree.ids.find(fragment.fragmentId))
  const stashed = tops.flatMap((top) => findStretches(tree, [...tree.columns.subtree(top)], new Set()))
  if (stashed.length > 0) await sink('## Stash\n\n')
  await writeList(session, tree, stashed, sink, options)
}

/** `nodes` come parents first, so that one pass is enough. */
function findStretches(tree: Tree, nodes: readonly number[], trunk: ReadonlySet<number>): Stretch[] {
  const { columns } = tree
  const within = new Map<number, Stretch>()
  const stretches: Stretch[] = []
  for (const ref of nodes) {
    if (trunk.has(ref)) continue
    const parent = columns.parent[ref]!
    const above = within.get(parent)
    const goesOn = above !== undefined && parent > ROOT && columns.childCount(parent) === 1
    const stretch = goesOn ? above : { top: ref, depth: above === undefined ? 0 : above.depth + 1, length: 0 }
    stretch.length++
    within.set(ref, stretch)
    if (!goesOn) stretches.push(stretch)
  }
  return stretches
}

async function writeList(
  session: Session,
  tree: Tree,
  stretches: readonly Stretch[],
  sink: Sink,
  options: OutlineOptions,
): Promise<void> {
  let i = 0
  const tops = stretches.map((stretch) => stretch.top)
  for await (const { id, entry, label, muted } of readNodes(session, tree, tops, options)) {
    const { depth, length } = stretches[i++]!
    const words = entry === undefined ? '' : preview(textOf(entry), MAX_WORDS)
    const facts = [`${length} ${length === 1 ? 'node' : 'nodes'}`, ...(muted ? ['muted'] : [])].join(', ')
    const named = label === undefined ? '' : `**${escapeInline(preview(label))}** `
    const indent = '  '.repeat(Math.min(depth, MAX_INDENT))
    await sink(`${indent}- ${named}${escapeInline(words)} (${facts}, \`${id.replace(/[^\w.-]/g, '')}\`)\n`)
  }
  if (stretches.length > 0) await sink('\n')
}
