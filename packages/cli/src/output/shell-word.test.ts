import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test('K4 a suggested command can be pasted, whatever a file is called, and says it in the open', () => {
  const names = ['plain.jsonl', '-rf', 'it\'s $(touch x) `y` \\ "z"', "two\nlines\u001b[31m'\\\u202e\u0085é", '\t*', '']
  const words = names.map(shellWord)
  expect(words[0]).toBe('plain.jsonl')
  for (const word of words) expect(word).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${words.join(' ')}`], { encoding: 'utf8' })
  expect(printed.split('\0').slice(0, -1)).toEqual(names)
})
