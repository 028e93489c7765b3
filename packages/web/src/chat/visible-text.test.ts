import { expect, test } from 'vitest'
import { showInvisible } from './visible-text.ts'

test('what can be read stays as it is', () => {
  const text = 'rm -rf "$HOME/x"\n\techo été 你好 🙂'
  expect(showInvisible(text)).toBe(text)
})

test('what cannot be seen, or turns text around, is named', () => {
  expect(showInvisible('a\u202eb\u0000c\u200bd\u{e0041}')).toBe('a⟨U+202E⟩b⟨U+0000⟩c⟨U+200B⟩d⟨U+E0041⟩')
  expect(showInvisible('echo ok\rrm x')).toBe('echo ok⟨U+000D⟩rm x')
})
