import { type Entry, Flag, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'

/** The body of a node by its id: of an answer still being generated its announcement. */
export type BodyOf = (id: string) => Entry | undefined

/**
 * Reads bodies and hands them over together with the tree they belong to: others write while they are read, and an answer
 * that was finished meanwhile is read again, and everything once the log was rewritten: what was scrubbed is not shown any
 * more. `build` sees one state of the session, so what it returns fits together.
 */
export async function withBodies<T>(
  session: Pick<Session, 'tree' | 'readEntries'>,
  choose: (tree: Tree) => Iterable<string>,
  build: (tree: Tree, bodyOf: BodyOf) => T,
): Promise<T> {
  const known = new Map<string, Entry | undefined>()
  let readFor = session.tree
  for (;;) {
    const { tree } = session
    if (tree !== readFor) known.clear()
    readFor = tree
    const wanted = new Map([...choose(tree)].flatMap((id) => placesOf(tree, id)))
    const missing = [...wanted.values()].filter((line) => !known.has(line))
    if (missing.length === 0) return build(tree, (id) => known.get(wanted.get(id) ?? ''))
    const read = await session.readEntries(missing)
    missing.forEach((line, i) => {
      known.set(line, read[i])
    })
  }
}

/** Under which id the body of a node is read. */
function placesOf(tree: Tree, id: string): [string, string][] {
  const ref = tree.ids.find(id)
  if (ref <= ROOT || !tree.columns.has(ref, Flag.known)) return []
  return [[id, tree.columns.has(ref, Flag.generating) ? tree.anchorId(ref)! : id]]
}
