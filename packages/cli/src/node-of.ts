import { Flag, preview, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from './output/language.ts'

const MIN_CHARS = 2
const MAX_CANDIDATES = 10

/**
 * The id of the node that is meant by an id, by the beginning or end of one, by a label, or by the word `leaf`. Never
 * guesses: `ambiguous_id` lists what fits. `name` is the session as it can be typed in a command that is suggested.
 */
export function findNode({ tree, leafId }: Pick<Session, 'tree' | 'leafId'>, text: string, name: string): string {
  if (text === 'leaf' && leafId !== null) return leafId
  const exact = tree.ids.find(text)
  if (exact > ROOT && tree.columns.has(exact, Flag.known)) return text
  const labelled = [...tree.edits.labels].filter(([, { label }]) => label === text).map(([id]) => id)
  const found = labelled.length > 0 || text.length < MIN_CHARS ? labelled : partsOf(tree, text)
  const [id, ...others] = found
  if (id === undefined) {
    const message = t('There is no node {node} in this session. `treeline tree {session}` shows their ids.', {
      node: quote(text),
      session: name,
    })
    throw new TreelineError('node_not_found', message)
  }
  if (others.length === 0) return id
  const listed = found.slice(0, MAX_CANDIDATES).join(', ')
  const values = { count: found.length, node: quote(text), listed, left: found.length - MAX_CANDIDATES }
  const message =
    values.left > 0
      ? t('{count} nodes fit {node}: {listed} and {left} more. Give more of the id.', values)
      : t('{count} nodes fit {node}: {listed}. Give more of the id.', values)
  throw new TreelineError('ambiguous_id', message, { nodeIds: found.slice(0, MAX_CANDIDATES) })
}

function quote(text: string): string {
  return JSON.stringify(preview(text, 60))
}

function partsOf(tree: Tree, part: string): string[] {
  const found: string[] = []
  for (let ref = ROOT + 1; ref < tree.ids.count; ref++) {
    if (!tree.columns.has(ref, Flag.known) || !tree.columns.has(ref, Flag.node)) continue
    const id = tree.ids.textOf(ref)
    if (id.startsWith(part) || id.endsWith(part)) found.push(id)
  }
  return found
}
