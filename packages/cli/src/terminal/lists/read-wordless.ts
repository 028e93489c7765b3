import { Kind, Role } from '@treeline/core'
import type { Session } from '@treeline/store'
import { readView } from '../../drawing/read-view.ts'
import { refsBelow } from '../../drawing/view-sizes.ts'

/** Of the given nodes, the answers that only call tools. Their bodies are read, because only they say so. */
export async function readWordless(session: Session, refs: Int32Array): Promise<ReadonlySet<number>> {
  const view = await readView(session, 'no-tools')
  const { kind, role } = session.tree.columns
  const shown = new Set(refsBelow(view, [...view.roots, ...view.stash.flatMap(({ roots }) => roots)]))
  const isAnswer = (ref: number) => kind[ref] === Kind.message && role[ref] === Role.assistant
  return new Set(Array.from(refs).filter((ref) => isAnswer(ref) && !shown.has(ref)))
}
