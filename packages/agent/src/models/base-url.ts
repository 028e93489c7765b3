import { TreelineError } from '@treeline/core'
import type { Api } from './provider-presets.ts'

/** A base URL as the provider packages want it: no slash at the end, no account in it, the version where it belongs. */
export function checkBaseUrl(provider: string, text: string, api: Api): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const given = text === '' ? 'has no base URL' : 'has a base URL that is none'
    throw refused(provider, given, 'Give one that begins with http:// or https://')
  }
  // It would be shown wherever the URL is; keys have a place of their own.
  if (url.username !== '' || url.password !== '')
    throw refused(provider, 'has a base URL with a password', 'Leave it out')
  if (api === 'anthropic-messages' && url.pathname === '/') url.pathname = '/v1'
  return url.href.replace(/\/+$/, '')
}

/** `OLLAMA_HOST` says where the server listens: a host, a port or both, with or without `http://`. */
export function ollamaUrl(host: string): string {
  const url = URL.parse(host.includes('://') ? host : `http://${host.replace(/^:/, 'localhost:')}`)
  if (url === null) return host
  // What listens everywhere is reached here.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost'
  if (url.port === '' && !host.includes('://')) url.port = '11434'
  if (url.pathname === '/') url.pathname = '/v1'
  return url.href
}

/** Whether it cannot but end on this machine. */
export function isLoopback(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host ?? '')
}

function refused(provider: string, what: string, remedy: string): TreelineError {
  const where = `"providers" → ${JSON.stringify(provider.slice(0, 60))}`
  return new TreelineError(
    'validation_failed',
    `The provider ${provider.slice(0, 60)} ${what}. ${remedy} (settings, ${where}).`,
  )
}
