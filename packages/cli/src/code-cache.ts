import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Lets Node keep what it makes of our code, which takes longer than most commands do, beside the index: in the user's own
 * home, because whoever can write there can run code. Where there is no home yet, none is made for it.
 */
export function cacheCode(env: Readonly<Record<string, string | undefined>>): void {
  const home = env.TREELINE_HOME || join(env.HOME || homedir(), '.treeline')
  if (existsSync(home)) enableCompileCache(join(home, 'index', 'code'))
}
