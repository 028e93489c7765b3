import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { ServerOptions } from '@treeline/server'

export const DEFAULT_PORT = 4123
const PORT_TRIES = 20

export interface ListeningChoice {
  readonly host?: string
  readonly port?: string
  readonly 'tls-cert'?: string
  readonly 'tls-key'?: string
  readonly 'behind-proxy'?: string
}

/** Where to listen, from the words of the command line. */
export function readListening(
  { host, port: asked, 'tls-cert': cert, 'tls-key': key, 'behind-proxy': proxyUrl }: ListeningChoice,
  cwd: string,
): Pick<ServerOptions, 'host' | 'port' | 'portTries' | 'tls' | 'proxyUrl'> & { readonly port: number } {
  const port = asked === undefined ? DEFAULT_PORT : readPort(asked)
  if ((cert === undefined) !== (key === undefined)) {
    throw new TreelineError('bad_request', 'Give both --tls-cert and --tls-key, or neither.')
  }
  const tls = cert === undefined || key === undefined ? undefined : { cert: read(cert, cwd), key: read(key, cwd) }
  // A proxy knows one port: at another it would not find us.
  return { host, port, portTries: proxyUrl === undefined ? PORT_TRIES : 1, tls, proxyUrl }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new TreelineError('bad_request', `${JSON.stringify(text)} is no port. Use a number from 0 to 65535.`)
}

function read(path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new TreelineError('bad_request', `${path} cannot be read (${code}).`, {}, { cause: error })
  }
}
