import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsIn, collectKeys } from '../../../../../testing/collect-keys.ts'
import { speak } from '../../output/language.ts'
import { widthOf } from '../../output/table.ts'
import { slashCommands } from '../commands/slash-commands.ts'
import { chatWords } from './zh/chat.ts'
import { commandWords } from './zh/commands.ts'
import { listWords } from './zh/lists.ts'
import { sharedWords } from './zh/shared.ts'
import { treeCommandWords } from './zh/tree-commands.ts'
import { zh } from './zh.ts'

const { keys, unknown } = collectKeys(join(import.meta.dirname, '../..'))
const pairs = Object.entries(zh)
const wrong = (isWrong: (chinese: string, english: string) => boolean) =>
  pairs.filter(([english, chinese]) => isWrong(chinese, english)).map(([, chinese]) => chinese)

test('texts are found wherever they are said, and only there', () => {
  const source = `
    // t('a comment')
    const a = <B c={t('in JSX', { n: 1 })}>{"t('a text')"}</B>
    const d = [t("double"), t(\`backquotes\`), not('another function'), x.t('a method')]
    const e = [t(name), t(\`with \${name}\`), t()]`
  const found = callsIn('example.tsx', source).map(({ key }) => key)
  expect(found).toEqual(['in JSX', 'double', 'backquotes', undefined, undefined, undefined])
  expect(keys.get('Esc close')!.length).toBeGreaterThan(1)
})

test('every text is a literal, so that it can be translated', () => {
  expect(unknown).toEqual([])
})

test('every text has a translation, and every translation a text', () => {
  expect([...keys].filter(([key]) => !Object.hasOwn(zh, key))).toEqual([])
  expect(Object.keys(zh).filter((key) => !keys.has(key))).toEqual([])
})

test('no text is translated in two places', () => {
  const parts = [chatWords, commandWords, listWords, sharedWords, treeCommandWords]
  expect(parts.reduce((sum, part) => sum + Object.keys(part).length, 0)).toBe(pairs.length)
})

test('a translation has the same values, commands and keys in it as the text', () => {
  const commands = slashCommands.map(({ name }) => `/${name}\\b`).join('|')
  const named = new RegExp(`\\{\\w+\\}|${commands}|--[a-z-]+|\`[^\`]*\`|(?:Ctrl|Alt|Shift)\\+\\w+`, 'g')
  const namesIn = (text: string) => [...new Set(text.match(named))].sort().join(' ')
  expect(wrong((chinese, english) => namesIn(chinese) !== namesIn(english))).toEqual([])
})

test('a translation is written as Chinese is: its own punctuation, a blank between it and Latin letters', () => {
  expect(wrong((chinese) => /\p{Cc}|\.\.\.|\p{sc=Han}["']|["']\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => /\p{sc=Han}[,.;:?!()]|[,.;:?!()]\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => /\p{sc=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{sc=Han}/u.test(chinese))).toEqual([])
  expect(wrong((chinese) => / [，。：；、？！（）]|[，。：；、？！（] /u.test(chinese))).toEqual([])
})

test('what has nothing Chinese in it is meant to have nothing', () => {
  const same = wrong((chinese) => !/\p{sc=Han}/u.test(chinese)).sort()
  expect(same).toEqual([' · ', '/mode {mode}：{meaning}', 'Tab {scope}', 'bash', 'id', '{count} token', '，'])
})

test('what a command is for fits beside it in 80 columns', () => {
  const ROOM = 80 - 1 - '/config [KEY [VALUE]]  '.length
  speak({ words: zh, isUnicode: true })
  const tooWide = slashCommands.map(({ help }) => help()).filter((help) => widthOf(help) > ROOM)
  speak({ isUnicode: true })
  expect(tooWide).toEqual([])
})
