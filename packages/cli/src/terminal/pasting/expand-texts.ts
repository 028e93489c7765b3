import { expandPasted } from '@treeline/agent'
import type { Session } from '@treeline/store'

/** A command with what was pasted in its place. Images are nothing to it: with one of them it stays as it was typed. */
export async function expandTexts(session: Session, typed: string): Promise<string> {
  const expanded = await expandPasted(session, typed)
  return typeof expanded === 'string' ? expanded : typed
}
