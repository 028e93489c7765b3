import { makePage, type Page } from './page.ts'
import { type Language, sayIn } from './words/language.ts'

/** For who opens a page without being logged in. */
export function notLoggedIn(language: Language): Page {
  const t = sayIn(language)
  const how = t(
    'Open the link that stands in the terminal in which you started Treeline, with <code>npm start</code> or <code>treeline serve</code>. Each link lets one browser in, once.',
  )
  // Browsers keep the cookie back from whoever was led here by another site, until they follow a link of ours.
  const again = t('You have just logged in? <a href="/">Go on to Treeline.</a>')
  return makePage(language, t('Not logged in'), paragraphs(how, newLink(language), again))
}

/** For a code that is none, was used, or came too late. Which of these is not said. */
export function linkDoesNotCount(language: Language): Page {
  const t = sayIn(language)
  const why = t('A login link counts once, for ten minutes, and as long as the server runs that printed it.')
  return makePage(language, t('This link does not count'), paragraphs(why, newLink(language)))
}

/** For who comes with a code, but maybe is no person: the code is used when the button is pressed. `code` was checked. */
export function pressToLogIn(language: Language, code: string): Page {
  const t = sayIn(language)
  const what = t('This browser will be logged in to your Treeline for thirty days.')
  const hidden = `<input type="hidden" name="code" value="${code}">`
  const form = `<form method="post" action="/login">${hidden}<button>${t('Log in')}</button></form>`
  return makePage(language, t('Log in to Treeline'), `${paragraphs(what)}${form}`)
}

/** What stands at `/` where no web app is. */
export function startPage(language: Language): Page {
  const t = sayIn(language)
  const links = [
    t('<a href="/api/chat/docs">The API, to read</a> (<a href="/api/chat/openapi.json">OpenAPI 3.1</a>)'),
    t('<a href="/api/chat/sessions">Your sessions</a>, as JSON'),
    t('<a href="/metrics">Metrics</a>, for Prometheus'),
  ]
  const rest = t('<code>treeline serve --help</code> and <code>docs/server.md</code> say the rest.')
  const list = `<ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul>`
  return makePage(
    language,
    'Treeline',
    `${paragraphs(t('The server runs, and you are logged in.'))}${list}${paragraphs(rest)}`,
  )
}

function newLink(language: Language): string {
  const t = sayIn(language)
  return t(
    'For a new link press <kbd>Enter</kbd> in the terminal in which Treeline runs. A program that has a token of the scope admin gets one with <code>POST /login/code</code>.',
  )
}

function paragraphs(...texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>`).join('')
}
