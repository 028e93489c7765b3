import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { listLogs } from '../log-files.ts'
import { createLogSource } from './log-source.ts'
import type { SessionSource, SourceModule } from './session-source.ts'

export type Sources = ReadonlyMap<string, SessionSource>

/** Our own sessions first, then those of the modules, by name. */
export async function loadSources(home: Home, modules: readonly SourceModule[]): Promise<Sources> {
  const { storage, paths, locks } = home
  const list = (unread: (dir: string, error: unknown) => void) => listLogs({ storage, paths }, unread)
  const own = createLogSource({ storage, paths, locks, name: 'treeline', folders: [paths.sessions], list })
  const sources = new Map([[own.name, own]])
  for (const module of modules) {
    const source = await loadSource(module)
    if (sources.has(source.name)) {
      throw new TreelineError('bad_request', `Two sources are called ${source.name}. Give each a name of its own.`)
    }
    sources.set(source.name, source)
  }
  return sources
}

async function loadSource({ module, options }: SourceModule): Promise<SessionSource> {
  const { createSource } = (await import(module)) as { readonly createSource?: (options: unknown) => SessionSource }
  if (typeof createSource !== 'function') {
    throw new TreelineError('bad_request', `${module} is no source of sessions: it exports no createSource.`)
  }
  return createSource(options)
}
