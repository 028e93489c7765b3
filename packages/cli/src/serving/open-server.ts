import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Agent, createAgent, loadSettings } from '@treeline/agent'
import {
  createApprovals,
  fileHouse,
  fileTools,
  openCredentials,
  type RunningServer,
  type ServerOptions,
  serverTools,
  startServer,
} from '@treeline/server'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'
import { makeSample } from './sample.ts'

export interface ServingOptions {
  readonly listening: Pick<ServerOptions, 'host' | 'port' | 'portTries' | 'tls' | 'proxyUrl'>
  readonly log: NonNullable<ServerOptions['log']>
  /** The project that tools look into. */
  readonly cwd: string
  readonly model?: string | undefined
  /** Whether models may change files and run commands, each after somebody has approved. */
  readonly hasTools: boolean
  readonly hasSample: boolean
}

export interface Serving extends AsyncDisposable {
  readonly server: RunningServer
  readonly agent: Agent
  readonly homeDir: string
  readonly sampleId: string | undefined
}

/** Puts a server together over the files of the home. */
export async function openServer(context: Context, options: ServingOptions): Promise<Serving> {
  const { listening, log, cwd, model, hasTools, hasSample } = options
  const [home, store, index] = [await context.home(), await context.store(), await context.index()]
  const approvals = createApprovals()
  // Whatever the terminal may do unasked, by its settings or in a session: what comes over HTTP is asked about.
  const flags = { approvalMode: 'default' as const, ...(model !== undefined && { model }) }
  const about = { home, cwd, env: context.env, flags }
  const { settings } = await loadSettings(about)
  const tools = serverTools(settings, { withTools: hasTools })
  const agent = await createAgent({
    ...about,
    home: home.paths.home,
    tools,
    ask: approvals.ask,
    maxApprovalMode: 'autoEdit',
  })
  try {
    for (const { message } of agent.problems) context.out.note(paint('warn', message))
    // A name that is none is told now, and not to the first who asks.
    if (model !== undefined) await agent.env.models.open(model)
    const sampleId = hasSample ? await makeSample(home, store, cwd) : undefined
    const credentials = openCredentials({ home, onFailure: ({ message }) => context.out.note(paint('bad', message)) })
    const parts = { house: fileHouse(home), otherTools: fileTools({ home, store, index }) }
    const given = { store, index, agent, approvals, credentials, log, webRoot: findWebApp() }
    const server = await startServer({ ...listening, ...parts, ...given })
    const dispose = async (): Promise<void> => {
      await server.close()
      await agent.close()
      credentials[Symbol.dispose]()
    }
    return { server, agent, homeDir: home.paths.home, sampleId, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await agent.close()
    throw error
  }
}

/** The build puts it beside the program. A program that was not built has none, and says so at `/`. */
function findWebApp(): string | undefined {
  const folder = join(import.meta.dirname, 'web')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}
