import type { IncomingMessage } from 'node:http'
import { TreelineError } from '@treeline/core'
import { askedOf } from '../guard/asked.ts'
import { formatCookie } from '../guard/cookie.ts'
import { type GuardOptions, guard } from '../guard/guard.ts'
import { isSecret } from '../guard/secret.ts'
import { readBytes } from '../http/read-body.ts'
import type { Services } from '../services.ts'
import type { Answer } from './answer.ts'
import { linkDoesNotCount, pressToLogIn } from './pages.ts'
import { languageOf } from './words/language.ts'

const MAX_FORM_BYTES = 4 * 1024

export interface LoginOptions {
  readonly credentials: Services['credentials']
  readonly guarding: GuardOptions
  /** Where browsers find us: what the cookie is for. */
  readonly url: string
}

/**
 * A code is used up by a person who opens its link, and by nothing else: link previews, scanners and browsers that fetch
 * ahead also GET what they see. A browser says that somebody goes to an address of his own accord; whoever does not say so,
 * or was led here by another site, presses a button first.
 */
export async function openLogin(request: IncomingMessage, options: LoginOptions): Promise<Answer> {
  const [, query = ''] = (request.url ?? '').split('?', 2)
  const code = new URLSearchParams(query).get('code') ?? ''
  // A page that was fetched ahead is thrown away on an error, and fetched again when it is wanted.
  if (isFetchedAhead(request)) return { status: 503 }
  if (!isSecret(code)) return refused(request, options)
  if (isOpenedByHand(request)) return exchange(request, code, options)
  return { status: 200, page: pressToLogIn(languageOf(request.headers['accept-language']), code) }
}

/** The button. */
export async function pressLogin(request: IncomingMessage, options: LoginOptions): Promise<Answer> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new TreelineError('unsupported_media_type', 'Send the form of the login page.')
  }
  const form = new URLSearchParams((await readBytes(request, MAX_FORM_BYTES)).toString('utf8'))
  return exchange(request, form.get('code') ?? '', options)
}

async function exchange(request: IncomingMessage, code: string, options: LoginOptions): Promise<Answer> {
  const secret = await options.credentials.redeem(code)
  if (secret === undefined) return refused(request, options)
  return { status: 303, headers: { location: '/', 'set-cookie': formatCookie(secret, options.url) } }
}

/** Whoever is in already and opens the link once more is let through. */
function refused(request: IncomingMessage, { guarding }: LoginOptions): Answer {
  return isLoggedIn(request, guarding)
    ? { status: 303, headers: { location: '/' } }
    : { status: 401, page: linkDoesNotCount(languageOf(request.headers['accept-language'])) }
}

function isLoggedIn(request: IncomingMessage, guarding: GuardOptions): boolean {
  try {
    return guard({ ...askedOf(request, false), method: 'GET' }, 'read', guarding).isBrowser
  } catch (error) {
    if (error instanceof TreelineError) return false
    throw error
  }
}

function isFetchedAhead({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers.purpose, headers['x-moz']].some((purpose) =>
    /prefetch|preview/i.test(`${purpose}`),
  )
}

function isOpenedByHand({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers
  return dest === 'document' && mode === 'navigate' && (site === 'none' || site === 'same-origin')
}
