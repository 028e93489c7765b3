import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where another tool keeps its sessions: `*.jsonl` in the folder itself, or in the folders in it and no deeper. */
export interface ForeignFolder {
  readonly name: 'pi' | 'xcsh' | 'oh-my-pi'
  readonly folder: string
}

export interface ForeignOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The user's. */
  readonly userHome?: string
}

/**
 * Of the places where Pi, xcsh and oh-my-pi keep sessions those that exist, each once, with links followed. Places that a
 * variable replaces are looked at too: what was there before it was set is no less a session. Nothing is made or changed.
 */
export function findForeignFolders({ env = process.env, userHome }: ForeignOptions = {}): ForeignFolder[] {
  const home = userHome ?? (env.HOME || homedir())
  const found = new Map<string, ForeignFolder>()
  for (const { name, folder } of usualPlaces(env, home)) {
    const real = findFolder(folder)
    if (real !== undefined && !found.has(real)) found.set(real, { name, folder: real })
  }
  return [...found.values()]
}

function usualPlaces(env: NonNullable<ForeignOptions['env']>, home: string): ForeignFolder[] {
  const { PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR, PI_CONFIG_DIR, XDG_DATA_HOME } = env
  const data = XDG_DATA_HOME || join(home, '.local', 'share')
  const agents: ForeignFolder[] = [
    { name: 'pi', folder: join(home, '.pi', 'agent') },
    { name: 'xcsh', folder: join(home, '.xcsh', 'agent') },
    // These two have no `agent` folder there.
    { name: 'xcsh', folder: join(data, 'xcsh') },
    { name: 'oh-my-pi', folder: join(data, 'omp') },
    { name: 'oh-my-pi', folder: join(home, '.omp', 'agent') },
    ...listProfiles(join(home, '.omp', 'profiles')),
  ]
  if (PI_CONFIG_DIR) agents.push({ name: 'xcsh', folder: join(home, PI_CONFIG_DIR, 'agent') })
  // All three obey it; which of them wrote a file its lines tell.
  if (PI_CODING_AGENT_DIR) agents.push({ name: 'pi', folder: expand(PI_CODING_AGENT_DIR, home) })
  const places = agents.map(({ name, folder }): ForeignFolder => ({ name, folder: join(folder, 'sessions') }))
  if (PI_CODING_AGENT_SESSION_DIR) places.push({ name: 'pi', folder: expand(PI_CODING_AGENT_SESSION_DIR, home) })
  return places
}

function listProfiles(dir: string): ForeignFolder[] {
  try {
    return readdirSync(dir)
      .sort()
      .map((profile) => ({ name: 'oh-my-pi', folder: join(dir, profile, 'agent') }))
  } catch {
    // There are none, or none that we may see; the other places do not suffer (I7).
    return []
  }
}

function findFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined
  } catch {
    // Not there, or not for us to see (I7).
    return undefined
  }
}

/** As a shell does, which Pi does as well. */
function expand(path: string, home: string): string {
  return resolve(path.replace(/^~(?=\/|$)/, home))
}
