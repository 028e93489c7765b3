import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test('K4 a joiner is left alone where it is part of an emoji, and nowhere else', () => {
  expect(visibleText('👩\u200d🚀 ❤\ufe0f')).toBe('👩\u200d🚀 ❤\ufe0f')
  expect(visibleText('😀\u200dab\u200dc')).toBe('😀\u200dab⟨U+200D⟩c')
  expect(visibleText('a\u200db\u2063\u202e')).toBe('a⟨U+200D⟩b⟨U+2063⟩⟨U+202E⟩')
})
