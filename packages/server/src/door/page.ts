import { createHash } from 'node:crypto'
import type { Language } from './words/language.ts'

const STYLE = [
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem}',
  ':root{color-scheme:light dark;accent-color:#1f6b45}h1{font-size:1.5rem}code{font-size:.95em}',
  'a{color:light-dark(#1f6b45,#7fd0a1)}button{font:inherit;padding:.4rem 1.2rem}',
].join('')

const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' }

export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** A small page of our own: no script, nothing loaded. Title and body are ours, never a caller's. */
export function makePage(language: Language, title: string, body: string, style = STYLE): Page {
  const html = [
    `<!doctype html><html lang="${LANGUAGE_TAGS[language]}"><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${style}</style><h1>${title}</h1>${body}</html>\n`,
  ]
  const styleHash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  return {
    html: html.join(''),
    // With `no-referrer` a browser would call the origin of the form `null`, which the guard refuses.
    headers: { 'content-security-policy': policy, 'referrer-policy': 'same-origin' },
  }
}
