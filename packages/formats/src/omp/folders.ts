import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dataHome } from '../agent-places.ts'
import type { UsualPlaces } from '../format.ts'

/** One folder, and one for each profile. In `$XDG_DATA_HOME` there is no `agent` folder. */
export function ompFolders(places: UsualPlaces): readonly string[] {
  const root = join(places.home, '.omp')
  const profiles = join(root, 'profiles')
  return [
    join(root, 'agent', 'sessions'),
    join(dataHome(places), 'omp', 'sessions'),
    ...listNames(profiles).map((profile) => join(profiles, profile, 'agent', 'sessions')),
  ]
}

function listNames(dir: string): readonly string[] {
  try {
    // An error costs more than a look, and most have none.
    return existsSync(dir) ? readdirSync(dir).sort() : []
  } catch {
    // None that we may see; the other places do not suffer (I7).
    return []
  }
}
