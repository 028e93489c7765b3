import { type EditOp, ROOT, type Tree, TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { nameNodes } from '../editing/name-nodes.ts'
import { findLeaf } from '../leaf-option.ts'
import { findNode } from '../node-of.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'

const ROOT_WORD = 'root'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    { name: 'SOURCE', help: 'the node to move, with all below it; also one of the stash', completes: 'none' },
    { name: 'TARGET', help: 'the node to hang it under, or `root`', completes: 'none' },
  ],
  options: {
    copy: { type: 'boolean', help: 'leave SOURCE where it is and hang a copy there' },
    before: { type: 'string', value: 'NODE', help: 'before this child of TARGET; at the end by default' },
    index: { type: 'string', value: 'N', help: 'as the child number N of TARGET, counted from 0' },
    between: { type: 'boolean', help: "between TARGET and its children, which then follow SOURCE's last node" },
    ...inPlaceOption,
  },
  examples: [
    ['treeline graft 4f2a91c0 1a2b3c4d 99aa00bb', 'hang a stashed or other part under another node'],
    ['treeline graft 4f2a91c0 1a2b3c4d root --copy', 'a copy of it as a conversation of its own'],
  ],
  json: CHANGE_JSON,
  async run({ args: [file, from, to], options, context }) {
    return changeSession(context, { file, inPlace: options['in-place'] }, (target, opened) => {
      const { tree } = target
      const name = typedName(opened, file)
      const sourceId = findNode(target, from!, name)
      const targetId = findLeaf(target, to, name)
      const siblingId = options.before === undefined ? undefined : findNode(target, options.before, name)
      const index = placeOf(tree, { sourceId, targetId, siblingId }, options)
      const operation = {
        op: 'graft' as const,
        sourceId,
        targetId,
        mode: options.copy ? ('copy' as const) : ('move' as const),
        ...(index !== undefined && { index }),
        ...(options.between && { insertBetween: true }),
      }
      return {
        perform: (session) => session.edit({ operations: [operation] }),
        isSo: !options.copy && !options.between && isThere(tree, sourceId, targetId, index),
        already: `${sourceId} is there already.`,
        async *tell({ operations }, session) {
          const where = targetId === null ? 'as a root' : `under ${paint('id', targetId)}`
          yield `${paint('good', options.copy ? 'Copied' : 'Moved')} ${where}:`
          yield* nameNodes(session, [copyOf(operations, sourceId) ?? sourceId], context.out.columns)
        },
      }
    })
  },
})

interface Ends {
  readonly sourceId: string
  readonly targetId: string | null
  /** What it is to come before. */
  readonly siblingId: string | undefined
}

interface PlaceOptions {
  readonly copy?: boolean
  readonly before?: string
  readonly index?: string
}

function placeOf(
  tree: Tree,
  { sourceId, targetId, siblingId }: Ends,
  { before, index, copy }: PlaceOptions,
): number | undefined {
  if (before !== undefined && index !== undefined) throw refused('Give --before or --index, not both.')
  if (index !== undefined) {
    if (!/^\d{1,9}$/.test(index)) throw refused(`--index takes 0, 1, 2 …; not ${JSON.stringify(index)}.`)
    return Number(index)
  }
  if (siblingId === undefined) return undefined
  const sibling = tree.ids.find(siblingId)
  const parent = targetId === null ? ROOT : tree.ids.find(targetId)
  const { columns } = tree
  if (columns.parent[sibling] === parent) {
    const source = tree.ids.find(sourceId)
    const at = columns.indexOf(sibling)
    // What is moved leaves its place first, and those after it move up.
    const isBefore = !copy && columns.parent[source] === parent && columns.indexOf(source) < at
    return isBefore ? at - 1 : at
  }
  throw refused(`${before} is no child of ${targetId ?? ROOT_WORD}, so nothing can come before it there.`)
}

/** The id that a copy got. */
function copyOf(operations: readonly EditOp[], sourceId: string): string | undefined {
  return operations.find((op) => op.op === 'graft')?.idMap?.[sourceId]
}

/** Where it hangs already; without an index that is at the end. */
function isThere(
  { columns, ids }: Tree,
  sourceId: string,
  targetId: string | null,
  index: number | undefined,
): boolean {
  const [source, target] = [ids.find(sourceId), targetId === null ? ROOT : ids.find(targetId)]
  if (columns.parent[source] !== target) return false
  return columns.indexOf(source) === (index ?? columns.childCount(target) - 1)
}

function refused(message: string): TreelineError {
  return new TreelineError('bad_request', message)
}
