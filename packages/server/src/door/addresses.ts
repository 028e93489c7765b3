import { isIPv4 } from 'node:net'
import { TreelineError } from '@treeline/core'
import { ownAddresses } from '../guard/own-addresses.ts'
import { type CertifiedNames, inUrl, readCertificate, type TlsFiles } from './tls.ts'

export interface Listening {
  /** An address or a name of this machine; `127.0.0.1` by default. Any but loopback needs TLS, here or at a proxy. */
  readonly host?: string | undefined
  readonly tls?: TlsFiles | undefined
  /** The https URL of the proxy in front, under which browsers find us. */
  readonly proxyUrl?: string | undefined
}

export interface Addresses {
  /** What to bind to. */
  readonly bind: string
  readonly isTls: boolean
  /** Every URL that is ours on this port; the first is the one to tell people. */
  urls(port: number): readonly string[]
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Decides where we listen and what we are called there. Refuses to be reached by others in plain HTTP. */
export function planAddresses({ host = '127.0.0.1', tls, proxyUrl }: Listening): Addresses {
  const bind = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  if (proxyUrl !== undefined) refuseNoHttps(proxyUrl)
  if (!isLoopback(bind) && tls === undefined && proxyUrl === undefined) throw openToOthers(host)
  const certified = tls && readCertificate(tls)
  const names = [...new Set([...namesOf(bind, certified), ...loopbackNames(bind)])]
  return {
    bind,
    isTls: tls !== undefined,
    urls(port) {
      const own = names.map((name) => new URL(`${tls === undefined ? 'http' : 'https'}://${name}:${port}`).origin)
      return proxyUrl === undefined ? own : [new URL(proxyUrl).origin, ...own]
    },
  }
}

/** The one that a client's check of the certificate passes goes first. */
function namesOf(bind: string, certified: CertifiedNames | undefined): readonly string[] {
  const given = WILDCARDS.has(bind) ? [] : [inUrl(bind)]
  if (certified === undefined) return given
  return certified.fits(bind) ? [...given, ...certified.names] : [...certified.names, ...given]
}

/** Those under which a browser on this machine gets to what is bound. */
function loopbackNames(bind: string): readonly string[] {
  if (bind === '127.0.0.1' || bind === '0.0.0.0') return ['127.0.0.1', 'localhost']
  if (bind === '::1') return ['[::1]', 'localhost']
  return bind === '::' ? ['127.0.0.1', '[::1]', 'localhost'] : []
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

function refuseNoHttps(url: string): void {
  ownAddresses([url])
  if (url.toLowerCase().startsWith('https://')) return
  throw new TreelineError(
    'bad_request',
    `${JSON.stringify(url)} is not https. Behind a proxy is the URL that browsers use.`,
  )
}

function openToOthers(host: string): TreelineError {
  const message =
    `At ${JSON.stringify(host)} others on the network get here, and over plain HTTP they could read along. Give ` +
    '--tls-cert FILE and --tls-key FILE, or --behind-proxy https://NAME where a proxy does TLS, or leave --host out: ' +
    'then only this machine gets in.'
  return new TreelineError('bad_request', message)
}
