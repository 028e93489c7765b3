import { afterEach, expect, test } from 'vitest'
import { speakLocale } from '../terminal/speak-locale.ts'
import { inOneLine, isUnicodeIn, languageOf, speak, t } from './language.ts'

afterEach(() => speak({ isUnicode: true }))

test.each([
  ['zh_CN.UTF-8', 'zh'],
  ['zh_SG.UTF-8', 'zh'],
  ['zh.UTF-8', 'zh'],
  ['zh-Hans', 'zh'],
  ['zh_Hans_HK.UTF-8', 'zh'],
  ['zh_TW.UTF-8', 'en'],
  ['zh_HK.UTF-8', 'en'],
  ['zh-Hant-TW', 'en'],
  ['de_DE.UTF-8', 'en'],
  ['zhx_AA.UTF-8', 'en'],
  ['C.UTF-8', 'en'],
  ['', 'en'],
])('the locale %s speaks %s', (LANG, language) => {
  expect(languageOf({ LANG })).toBe(language)
})

test('LC_ALL comes before LC_MESSAGES, and that before LANG', () => {
  const [zh, en] = ['zh_CN.UTF-8', 'en_GB.UTF-8']
  expect(languageOf({ LC_ALL: en, LC_MESSAGES: zh, LANG: zh })).toBe('en')
  expect(languageOf({ LC_ALL: '', LC_MESSAGES: zh, LANG: en })).toBe('zh')
  expect(languageOf({ LC_ALL: 'C', LANG: zh })).toBe('en')
})

test('LANGUAGE is a list of wishes, of which the first that we know counts, and counts for nothing without a locale', () => {
  expect(languageOf({ LANG: 'de_DE.UTF-8', LANGUAGE: 'de:zh_CN:en' })).toBe('zh')
  expect(languageOf({ LANG: 'zh_CN.UTF-8', LANGUAGE: 'en_US' })).toBe('en')
  expect(languageOf({ LANG: 'zh_TW.UTF-8', LANGUAGE: 'zh_TW:zh_CN' })).toBe('zh')
  expect(languageOf({ LC_ALL: 'C', LANGUAGE: 'zh_CN' })).toBe('en')
  expect(languageOf({ LANGUAGE: 'zh_CN' })).toBe('en')
})

test('without UTF-8 a Chinese locale gets English in ASCII', async () => {
  for (const env of [{ LANG: 'zh_CN.GB18030' }, { LANG: 'zh_CN.UTF-8', TERM: 'linux' }, { LANG: 'zh_CN' }]) {
    expect(isUnicodeIn(env)).toBe(false)
    expect(await speakLocale(env)).toBe(false)
    expect(t('Summing up …')).toBe('Summing up ...')
  }
})

test('Chinese is spoken where the locale is Chinese, and English again where it is not', async () => {
  expect(await speakLocale({ LANG: 'zh_CN.UTF-8' })).toBe(true)
  expect(t('{count} sessions', { count: '1,234' })).toBe('1,234 个会话')
  expect(await speakLocale({ LANG: 'en_US.UTF-8' })).toBe(true)
  expect(t('{count} sessions', { count: '1,234' })).toBe('1,234 sessions')
})

test('a text without a translation, and a value that names no place in it, stay as they are', () => {
  speak({ words: { known: '知道' }, isUnicode: true })
  expect([t('known'), t('toString'), t('{what} is', { who: 1 })]).toEqual(['知道', 'toString', '{what} is'])
})

test('between Chinese sentences there is no blank', () => {
  expect(inOneLine(['One.', 'Two.'])).toBe('One. Two.')
  expect(inOneLine(['一。', '二。', '/undo 可撤销。'])).toBe('一。二。/undo 可撤销。')
})
