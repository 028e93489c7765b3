import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectKeys } from '../../../../../testing/collect-keys.ts'
import { languageOf } from './language.ts'
import { zh } from './zh.ts'

test('every text is a literal and has a translation, and every translation a text', () => {
  const { keys, unknown } = collectKeys(join(import.meta.dirname, '..'))
  expect(unknown).toEqual([])
  expect(Object.keys(zh).sort()).toEqual([...keys.keys()].sort())
})

test('a translation has the same marks in it as the text, and is written as Chinese is', () => {
  const marksIn = (text: string) => (text.match(/<[^>]+>/g) ?? []).sort()
  for (const [english, chinese] of Object.entries(zh)) {
    expect(marksIn(chinese)).toEqual(marksIn(english))
    const said = chinese.replace(/<[^>]+>/g, '')
    expect(said).toMatch(/\p{sc=Han}/u)
    expect(said).not.toMatch(/\p{sc=Han}[\w,.;:?!()]|[\w,.;:?!()]\p{sc=Han}| [，。：；、？！（）]|[，。：；、？！（] /u)
  }
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['zh', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['ZH-hant-TW', 'zh'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
  ['fr-FR,zh;q=0.3,en;q=0.5', 'en'],
  ['fr, zh; q=0.5', 'zh'],
  ['zh;q=0', 'en'],
  ['zha, enx', 'en'],
  ['zh;q=<script>,;;,,', 'en'],
] as const)('of what a browser accepts, %j, ours is %s', (accepted, language) => {
  expect(languageOf(accepted)).toBe(language)
})
