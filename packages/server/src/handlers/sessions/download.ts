/** Stored bytes are for keeping: a browser neither guesses what they are nor runs them in our name (K4). */
export const DOWNLOAD: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}
