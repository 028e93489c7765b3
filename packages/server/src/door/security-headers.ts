/**
 * On every answer, whoever makes it. What is no page may load nothing, run nothing and be framed by nobody; a page says
 * what it needs beyond that. There is no Strict-Transport-Security: it would count for every port of the host, of which
 * others may speak plain HTTP.
 */
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  // What was said stays out of a browser's files; a client that knows a version asks with it.
  ['cache-control', 'no-store'],
]

/** Of the web app: everything from here, no script or style written into the page. */
export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
