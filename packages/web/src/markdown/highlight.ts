import type { HLJSApi } from 'highlight.js'
import { findLanguage } from './languages.ts'
import { type CodeToken, TokenEmitter } from './token-emitter.ts'

/** Longer code is shown plain: colours are not worth thousands of elements. */
const MAX_CHARS = 30_000

let loading: Promise<HLJSApi> | undefined
let loaded: HLJSApi | undefined

async function loadCore(): Promise<HLJSApi> {
  loading ??= import('highlight.js/lib/core').then(({ default: core }) => {
    const api = core.newInstance()
    api.configure({ __emitter: TokenEmitter })
    loaded = api
    return api
  })
  return loading
}

/** Resolves when code of that language can be coloured; false when it never can. */
export async function loadLanguage(word: string): Promise<boolean> {
  const language = findLanguage(word)
  if (language === undefined) return false
  const [api, { default: define }] = await Promise.all([loadCore(), language.load()])
  if (api.getLanguage(language.name) === undefined) api.registerLanguage(language.name, define)
  return true
}

/** Code in coloured pieces; `undefined` as long as its language is not loaded, and for what is too long. */
export function highlight(code: string, word: string): readonly CodeToken[] | undefined {
  const name = findLanguage(word)?.name
  if (name === undefined || code.length > MAX_CHARS || loaded?.getLanguage(name) === undefined) return undefined
  const { _emitter: emitter } = loaded.highlight(code, { language: name, ignoreIllegals: true })
  return (emitter as TokenEmitter).tokens
}
