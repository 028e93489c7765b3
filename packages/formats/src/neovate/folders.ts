import { join } from 'node:path'
import type { UsualPlaces } from '../format.ts'

/**
 * One folder per project in here. The project cannot be told from its folder's name, which has lost upper case and all
 * that is no letter or digit, and the files do not say it either (X14).
 */
export function neovateFolders({ home }: UsualPlaces): readonly string[] {
  return [join(home, '.neovate', 'projects')]
}
