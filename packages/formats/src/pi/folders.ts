import { join } from 'node:path'
import { expandPath } from '../agent-places.ts'
import type { UsualPlaces } from '../format.ts'

/**
 * Places that a variable replaces are looked at too: what was there before it was set is no less a session. xcsh and
 * oh-my-pi obey `PI_CODING_AGENT_DIR` as well; which of them wrote a file its lines tell.
 */
export function piFolders(places: UsualPlaces): readonly string[] {
  const { PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR } = places.env
  const folders = [join(places.home, '.pi', 'agent', 'sessions')]
  if (PI_CODING_AGENT_DIR) folders.push(join(expandPath(PI_CODING_AGENT_DIR, places), 'sessions'))
  if (PI_CODING_AGENT_SESSION_DIR) folders.push(expandPath(PI_CODING_AGENT_SESSION_DIR, places))
  return folders
}
