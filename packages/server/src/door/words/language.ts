import { zh } from './zh.ts'

export type Language = 'en' | 'zh'

/** A text of ours in one language. The English text is written out where it is used. */
export type Say = (text: string) => string

export function sayIn(language: Language): Say {
  return language === 'zh' ? (text) => zh[text] ?? text : (text) => text
}

/** Of ours the one that a browser asks for before the other; English where it asks for neither. */
export function languageOf(accepted: string | undefined): Language {
  const [first] = (accepted ?? '')
    .split(',')
    .map(readRange)
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return first?.language ?? 'en'
}

/** `zh-CN;q=0.8`. */
function readRange(range: string): { readonly language: Language | undefined; readonly quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const [language] = tag.split('-')
  return {
    language: language === 'en' || language === 'zh' ? language : undefined,
    quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0,
  }
}
