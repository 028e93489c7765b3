import { Flag, preview, ROOT, type Tree, TreelineError } from '@treeline/core'

const MIN_CHARS = 2
const MAX_CANDIDATES = 10

/**
 * The id of the node that is meant by an id, by the beginning or end of one, by a label, or by the word `leaf`. Never
 * guesses: `ambiguous_id` lists what fits.
 */
export function findNode(tree: Tree, text: string, leafId: string | null): string {
  if (text === 'leaf' && leafId !== null) return leafId
  const exact = tree.ids.find(text)
  if (exact > ROOT && tree.columns.has(exact, Flag.known)) return text
  const labelled = [...tree.edits.labels].filter(([, { label }]) => label === text).map(([id]) => id)
  const found = labelled.length > 0 || text.length < MIN_CHARS ? labelled : partsOf(tree, text)
  const [id, ...others] = found
  if (id === undefined) {
    const message = `There is no node ${JSON.stringify(preview(text, 60))} in this session. \`treeline tree\` shows their ids.`
    throw new TreelineError('node_not_found', message)
  }
  if (others.length === 0) return id
  const listed = found.slice(0, MAX_CANDIDATES).join(', ')
  const more = found.length > MAX_CANDIDATES ? ` and ${found.length - MAX_CANDIDATES} more` : ''
  const message = `${found.length} nodes fit ${JSON.stringify(preview(text, 60))}: ${listed}${more}. Give more of the id.`
  throw new TreelineError('ambiguous_id', message, { nodeIds: found.slice(0, MAX_CANDIDATES) })
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
