import { type EditOp, type EditRequestOp, listFragments, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { shortIds } from '../../drawing/short-ids.ts'
import { inOneLine, t } from '../../output/language.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import { offerNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitWords } from './split-first.ts'
import { lastNode } from './trunk-nodes.ts'

const COPY = 'copy'
const UNDER = 'under'
const ROOT_WORD = 'root'
const BACK = 'back'

/** Without a place it hangs under where the conversation is. */
export const graftCommand: SlashCommand = {
  name: 'graft',
  args: 'ID [under ID]',
  help: () => t('hang a part of the stash or the tree in elsewhere'),
  async complete({ session }, typed) {
    const begun = splitBegun(typed)
    const said = begun.words.filter((word) => word !== COPY)
    const stash = offerNodes(session, 'stash', begun)
    const trunk = offerNodes(session, 'trunk', begun)
    if (said.length === 0) return beginWith(begun, [...stash, ...(begun.words.length === 0 ? [COPY] : []), ...trunk])
    if (said.length === 1) return beginWith(begun, [UNDER, BACK])
    return said[1] === UNDER && said.length === 2 ? beginWith(begun, [ROOT_WORD, ...trunk]) : []
  },
  async run(actions, rest) {
    const { session } = actions
    const operation = readOperation(session, splitWords(rest))
    const { entry, operations, warnings } = await session.edit({ operations: [operation] })
    if (entry === undefined) return actions.show(t('It is there already; nothing was changed.'))
    await actions.reload()
    for (const { detail } of warnings) actions.warn(detail)
    const { tree } = session
    const shortId = shortIds(tree)
    const { sourceId, targetId, mode } = operation
    const top = copyOf(operations, sourceId) ?? sourceId
    const where = { target: targetId === null ? t('the beginning') : shortId(targetId), id: shortId(top) }
    const what =
      mode === 'copy' ? t('A copy hangs under {target} now: {id}.', where) : t('{id} hangs under {target} now.', where)
    const how = t('/go {id} goes on there, /undo takes it back.', { id: shortId(endOf(tree, top)) })
    actions.show(inOneLine([what, how]))
  },
}

type Graft = Extract<EditRequestOp, { readonly op: 'graft' }>

function readOperation(session: Session, given: readonly string[]): Graft {
  const words = given.filter((word) => word !== COPY)
  const mode = words.length < given.length ? COPY : 'move'
  const [source, ...place] = words
  if (source === undefined) {
    throw new TreelineError('bad_request', t('Say what to hang in: /graft ID. /stash lists what was cut off.'))
  }
  const sourceId = findNodeHere(session, source)
  if (place.length === 1 && place[0] === BACK) return { op: 'graft', mode, sourceId, ...placeBefore(session, sourceId) }
  const [target, ...others] = place[0] === UNDER ? place.slice(1) : place
  if (others.length > 0 || (place[0] === UNDER && target === undefined)) {
    throw new TreelineError('bad_request', t('Say it as /graft ID under ID, /graft ID back or /graft copy ID.'))
  }
  return { op: 'graft', mode, sourceId, targetId: findTarget(session, target) }
}

function findTarget(session: Session, named: string | undefined): string | null {
  if (named === ROOT_WORD || (named === undefined && session.leafId === null)) return null
  return named === undefined ? lastNode(session) : findNodeHere(session, named)
}

/** Where it hung when it was cut off. */
function placeBefore({ tree }: Session, sourceId: string): Pick<Graft, 'targetId' | 'index'> {
  const fragment = listFragments(tree).find(({ fragmentId }) => fragmentId === sourceId)
  if (fragment === undefined) {
    const id = shortIds(tree)(sourceId)
    throw new TreelineError(
      'bad_request',
      t('{id} was not cut off by itself: say where to, /graft {id} under ID.', { id }),
    )
  }
  const { fromParentId, fromIndex } = fragment
  const parent = fromParentId === null ? ROOT : tree.ids.find(fromParentId)
  // Siblings may have gone since.
  return { targetId: fromParentId, index: Math.min(fromIndex, tree.columns.childCount(parent)) }
}

/** The id that a copy got. */
function copyOf(operations: readonly EditOp[], sourceId: string): string | undefined {
  return operations.find((op) => op.op === 'graft')?.idMap?.[sourceId]
}

/** Where one goes on: down along the latest. */
function endOf({ columns, ids }: Tree, topId: string): string {
  let at = ids.find(topId)
  for (let last = columns.children(at).at(-1); last !== undefined; last = columns.children(at).at(-1)) at = last
  return ids.textOf(at)
}
