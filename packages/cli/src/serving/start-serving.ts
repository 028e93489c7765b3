import type { RunningServer } from '@treeline/server'
import type { Context } from '../context.ts'
import { paint, type Style } from '../output/style.ts'
import { wrap } from '../output/wrap.ts'
import { checkServer } from './check-server.ts'
import { openBrowser } from './open-browser.ts'
import { openServer, type Serving, type ServingOptions } from './open-server.ts'
import { watchStopSignals } from './stop-signals.ts'

export interface StartOptions extends ServingOptions {
  readonly isChecked: boolean
  readonly opensBrowser: boolean
}

/** Serves until it is stopped. Resolves with the exit code. */
export async function startServing(context: Context, options: StartOptions): Promise<number> {
  using stop = watchStopSignals(context.signal)
  await using serving = await openServer(context, options)
  const { server } = serving
  await introduce(context, serving, options)
  if (options.isChecked) return await checkServer(context, serving, options.listening)
  tellLink(context, server.newLoginUrl())
  if (options.opensBrowser) await openLink(context, server)
  using _enter = await context.onEnter(() => tellLink(context, server.newLoginUrl()))
  await aborted(stop.signal)
  context.out.note('Stopping: answers have a few seconds to end. Ctrl+C again stops at once.')
  await server.close()
  return 0
}

async function introduce(
  { out, env }: Context,
  { server, agent, homeDir, sampleId }: Serving,
  { listening: { port: asked }, isChecked }: StartOptions,
): Promise<void> {
  const { url, port } = server
  const command = env.TREELINE_COMMAND || 'treeline'
  const model = agent.env.settings.model ?? (await agent.env.models.defaultRef())
  const isDemo = model.startsWith('demo/')
  if (out.isJson) {
    if (isChecked) return
    const link = server.newLoginUrl()
    out.document({
      url,
      port,
      loginUrl: link,
      pid: process.pid,
      home: homeDir,
      model,
      isDemo,
      sampleId: sampleId ?? null,
    })
    return
  }
  const said = (text: string, style?: Style): void => {
    for (const line of wrap(text, out.columns))
      out.write(`${style === undefined ? line : paint(style, line)}
`)
  }
  said(`Treeline serves ${homeDir} at ${url}`)
  if (asked !== undefined && asked !== 0 && port !== asked) said(`Port ${asked} is in use, so it is ${port}.`, 'warn')
  if (sampleId !== undefined) said('There was no session yet, so it begins with a sample conversation.')
  if (isDemo) {
    said(
      `No key is set, so the built-in demo answers. For real answers: ${command} auth set anthropic, or start Ollama.`,
    )
  }
}

function tellLink({ out, canAsk }: Context, url: string): void {
  if (out.isJson) return
  out.write(`\n  ${paint('title', url)}\n\n`)
  out.write(`${paint('faint', 'Open this in your browser: it lets one in, within ten minutes.')}\n`)
  if (canAsk) out.write(`${paint('faint', 'Enter prints another link, Ctrl+C stops.')}\n`)
}

async function openLink({ out }: Context, server: RunningServer): Promise<void> {
  const problem = await openBrowser(server.newLoginUrl())
  if (problem !== undefined) out.note(paint('warn', `No browser could be opened (${problem}): open the link yourself.`))
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
