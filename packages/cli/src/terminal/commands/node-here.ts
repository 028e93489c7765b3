import type { Session } from '@treeline/store'
import { findNode } from '../../node-of.ts'
import { typedName } from '../../target.ts'

/** As `findNode`, in the session that is talked in. */
export function findNodeHere(session: Session, text: string): string {
  const { path, isInPlace } = session
  return findNode(session, text, typedName({ session, path }, isInPlace ? path : undefined))
}
