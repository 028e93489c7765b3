import { spawn } from 'node:child_process'

/** Opens a URL as the user's desktop does. Resolves with what kept it from that. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  const [command, ...words] = commandFor(platform)
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true })
  child.once('error', (error) => resolve(error.message))
  child.once('spawn', () => resolve(undefined))
  // Some of them stay until the browser is closed.
  child.unref()
  return promise
}

function commandFor(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // Not `start`, which is the shell's and would take `&` for its own.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
