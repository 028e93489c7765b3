import { makePage, type Page } from './page.ts'

const NEW_LINK =
  '<p>For a new link press <kbd>Enter</kbd> in the terminal in which Treeline runs. A program that has a token of the ' +
  'scope admin gets one with <code>POST /login/code</code>.</p>'

/** For who opens a page without being logged in. */
export function notLoggedIn(): Page {
  const how =
    '<p>Open the link that stands in the terminal in which you started Treeline, with <code>npm start</code> or ' +
    '<code>treeline serve</code>. Each link lets one browser in, once.</p>'
  // Browsers keep the cookie back from whoever was led here by another site, until they follow a link of ours.
  const again = '<p>You have just logged in? <a href="/">Go on to Treeline.</a></p>'
  return makePage('Not logged in', `${how}${NEW_LINK}${again}`)
}

/** For a code that is none, was used, or came too late. Which of these is not said. */
export function linkDoesNotCount(): Page {
  const why = '<p>A login link counts once, for ten minutes, and as long as the server runs that printed it.</p>'
  return makePage('This link does not count', `${why}${NEW_LINK}`)
}

/** For who comes with a code, but maybe is no person: the code is used when the button is pressed. `code` was checked. */
export function pressToLogIn(code: string): Page {
  const form =
    '<p>This browser will be logged in to your Treeline for thirty days.</p>' +
    `<form method="post" action="/login"><input type="hidden" name="code" value="${code}"><button>Log in</button></form>`
  return makePage('Log in to Treeline', form)
}

/** What stands at `/` where no web app is. */
export function startPage(): Page {
  const body =
    '<p>The server runs, and you are logged in.</p><ul>' +
    '<li><a href="/api/chat/docs">The API, to read</a> (<a href="/api/chat/openapi.json">OpenAPI 3.1</a>)</li>' +
    '<li><a href="/api/chat/sessions">Your sessions</a>, as JSON</li>' +
    '<li><a href="/metrics">Metrics</a>, for Prometheus</li></ul>' +
    '<p><code>treeline serve --help</code> and <code>docs/server.md</code> say the rest.</p>'
  return makePage('Treeline', body)
}
