import { type Entry, nodePath, preview, ROOT, Role, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import type { Context } from '../context.ts'
import { shortIds } from '../drawing/short-ids.ts'
import { findLeaf, leafOption } from '../leaf-option.ts'
import { findNode } from '../node-of.ts'
import { counted } from '../output/amount.ts'
import { safeJson } from '../output/safe-json.ts'
import { paint } from '../output/style.ts'
import { openTarget, typedName } from '../target.ts'
import { damageHint } from '../transcript/damage-hint.ts'
import { hiddenOn, type NodeFacts, nodeFacts } from '../transcript/node-facts.ts'
import { bodyLines, headLine, usageText } from '../transcript/node-lines.ts'
import { readShown } from '../transcript/read-shown.ts'

const LAST_TURNS = 20
/** One turn may be a hundred tool calls. */
const LAST_NODES = 100

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', optional: true, completes: 'session' },
    { name: 'NODE', help: 'one node in full: its id, a part of it, a label, or `leaf`', optional: true },
  ],
  options: {
    ...leafOption,
    last: {
      type: 'string',
      value: 'N',
      help: `so many turns, the last ones; 0 for all (${LAST_TURNS}; with --json all)`,
    },
    full: { type: 'boolean', help: 'fold nothing: tool calls, their results and thoughts too' },
  },
  examples: [
    ['treeline show', 'the latest session of this project'],
    ['treeline show 4f2a91c0 --last 3 --full', 'its last three turns, with all that tools said'],
    ['treeline show 4f2a91c0 1a2b3c4d', 'one node, and all that is known of it'],
  ],
  json:
    '{"sessionId","leafId","omitted","nodes":[NODE]}, or with a NODE {"sessionId","leafId","node":NODE}; a NODE is {"id",' +
    '"type","role"?,"parentId","children":[ids],"label"?,"muted"?,"generating"?,"place","meta"?,"hidden"?,"entry"|null}: ' +
    'hidden says why a model would not get it, entry is the stored entry with its images in it',
  async run({ args: [file, node], options, context }) {
    if (node !== undefined && options.leaf !== undefined) {
      throw new TreelineError('bad_request', 'Give a NODE or --leaf, not both: a node is shown as it is.')
    }
    const isOpen = options.last === undefined && !context.out.isJson
    const turns = isOpen ? LAST_TURNS : limitOption('last', options.last, Number.POSITIVE_INFINITY)
    const nodes = isOpen ? LAST_NODES : Number.POSITIVE_INFINITY
    await using opened = await openTarget(context, file)
    const { session } = opened
    const name = typedName(opened, file)
    const leafId = findLeaf(session, options.leaf, name)
    if (node === undefined)
      await showTrunk(context, session, { leafId, turns, nodes, full: options.full ?? false, name })
    else await showNode(context, session, findNode(session, node, name))
    for (const line of context.out.isJson ? [] : damageHint(opened, file)) context.out.print(line)
    return 0
  },
})

interface TrunkOptions {
  readonly leafId: string | null
  readonly turns: number
  readonly nodes: number
  readonly full: boolean
  /** The session as it can be typed. */
  readonly name: string
}

async function showTrunk(
  { out }: Context,
  session: Session,
  { leafId, turns, nodes, full, name }: TrunkOptions,
): Promise<void> {
  const { tree } = session
  const trunk = nodePath(tree, leafId === null ? ROOT : tree.ids.find(leafId))
  const from = Math.max(startOf(tree, trunk, turns), trunk.length - nodes)
  const ids = trunk.slice(from).map((ref) => tree.ids.textOf(ref))
  const hidden = await hiddenOn(session, leafId)
  if (out.isJson) {
    await out.raw(`{"sessionId":${safeJson(session.id)},"leafId":${safeJson(leafId)},"omitted":${from},"nodes":[`)
    let comma = ''
    for await (const { id, entry } of readShown(session, ids)) {
      await out.raw(`${comma}${safeJson(nodeJson(session, id, entry, hidden))}`)
      comma = ','
    }
    await out.raw(']}\n')
    return
  }
  if (trunk.length === 0) {
    out.print(`The conversation is empty here. \`treeline tree ${name}\` shows all branches.`)
    return
  }
  if (from > 0) {
    out.print(paint('faint', `${counted(from, 'earlier node')} not shown: --last 0 shows all, --last N so many turns.`))
    out.print()
  }
  const shortId = shortIds(tree)
  for await (const { id, entry } of readShown(session, ids)) {
    const label = tree.edits.labels.get(id)?.label
    out.print(headLine(entry, { shownId: shortId(id), label, hidden: hidden.get(id) }))
    for (const line of bodyLines(entry, { full })) out.print(line)
    out.print()
  }
}

/** Where the last turns begin: each with what a user said. */
function startOf({ columns }: Tree, trunk: readonly number[], turns: number): number {
  let seen = 0
  for (let i = trunk.length - 1; i >= 0; i--) {
    if (columns.role[trunk[i]!] === Role.user && ++seen >= turns) return i
  }
  return 0
}

async function showNode({ out }: Context, session: Session, id: string): Promise<void> {
  const facts = nodeFacts(session, id)
  const hidden = facts.place === 'aside' ? new Map<string, string>() : await hiddenOn(session, session.leafId)
  for await (const { entry } of readShown(session, [id])) {
    if (out.isJson) {
      out.json({ sessionId: session.id, leafId: session.leafId, node: nodeJson(session, id, entry, hidden) })
      return
    }
    out.print(headLine(entry, { shownId: id, label: facts.label, hidden: hidden.get(id) }))
    for (const [name, value] of factRows(facts, entry))
      out.print(`  ${paint('faint', name.padEnd(9))} ${preview(value, 400)}`)
    out.print()
    for (const line of bodyLines(entry, { full: true })) out.print(line)
  }
}

function* factRows(facts: NodeFacts, entry: Entry | undefined): Generator<readonly [string, string]> {
  const { provider, model } = (entry?.message ?? {}) as { readonly provider?: unknown; readonly model?: unknown }
  yield ['place', PLACES[facts.place]]
  yield ['parent', facts.parentId ?? 'none: it is a root']
  yield ['children', facts.children.length === 0 ? 'none' : shortList(facts.children)]
  if (typeof model === 'string') yield ['model', typeof provider === 'string' ? `${provider}/${model}` : model]
  const usage = usageText(entry)
  if (usage !== undefined) yield ['usage', usage]
  if (facts.muted) yield ['muted', 'yes: no model gets it']
  if (facts.generating) yield ['state', 'still being written']
  for (const [key, value] of Object.entries(facts.meta ?? {})) yield [preview(key, 20), preview(String(value), 60)]
}

const PLACES: Readonly<Record<NodeFacts['place'], string>> = {
  trunk: 'on the trunk',
  branch: 'on another branch',
  stash: 'in the stash',
  deleted: 'deleted',
  aside: 'beside the tree: it changes how the conversation is read',
}

function shortList(ids: readonly string[]): string {
  return ids.length <= 8 ? ids.join(', ') : `${ids.slice(0, 8).join(', ')} and ${ids.length - 8} more`
}

function nodeJson(
  session: Session,
  id: string,
  entry: Entry | undefined,
  hidden: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const reason = hidden.get(id)
  return { ...nodeFacts(session, id), ...(reason !== undefined && { hidden: reason }), entry: entry ?? null }
}
