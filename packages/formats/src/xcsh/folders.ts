import { join } from 'node:path'
import { dataHome } from '../agent-places.ts'
import type { UsualPlaces } from '../format.ts'

/** In `$XDG_DATA_HOME` there is no `agent` folder. `PI_CONFIG_DIR` is another name for `.xcsh`. */
export function xcshFolders(places: UsualPlaces): readonly string[] {
  const { home, env } = places
  const folders = [join(home, '.xcsh', 'agent', 'sessions'), join(dataHome(places), 'xcsh', 'sessions')]
  if (env.PI_CONFIG_DIR) folders.push(join(home, env.PI_CONFIG_DIR, 'agent', 'sessions'))
  return folders
}
