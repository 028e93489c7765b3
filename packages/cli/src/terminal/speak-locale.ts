import { isUnicodeIn, languageOf, speak } from '../output/language.ts'

/** Speaks as the locale says, and tells whether there is Unicode: without it there is no Chinese, either. */
export async function speakLocale(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const isUnicode = isUnicodeIn(env)
  const isChinese = isUnicode && languageOf(env) === 'zh'
  speak({ isUnicode, ...(isChinese && { words: (await import('./words/zh.ts')).zh }) })
  return isUnicode
}
