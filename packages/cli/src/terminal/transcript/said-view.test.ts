import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { SaidView } from './SaidView.tsx'
import type { Said } from './transcript.ts'

const drawn = (said: Omit<Said, 'key'>, isUnfolded = false, isUnicode = true) =>
  stripVTControlCharacters(
    renderToString(createElement(SaidView, { said: { key: 'k', ...said }, columns: 60, isUnicode, isUnfolded }), {
      columns: 60,
    }),
  )
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')

test('output is folded to its first lines, and unfolded to as many as anyone reads', () => {
  const said = { kind: 'tool', title: 'read(path=a)', text: lines(3_000) } as const
  const folded = drawn(said)
  expect(folded).toContain('line 8\n')
  expect(folded).not.toContain('line 9')
  expect(folded).toContain('+ 2992 more lines (Ctrl+O shows all)')
  const unfolded = drawn(said, true)
  expect(unfolded).toContain('line 2000\n')
  expect(unfolded).not.toContain('line 2001')
  expect(unfolded).toContain('+ 1000 more lines, kept in the session')
})

test('of a long prompt the beginning is shown', () => {
  const said = { kind: 'user', text: lines(90) } as const
  expect(drawn(said)).toContain('line 30\n  + 60 more lines (Ctrl+O shows all)')
  expect(drawn(said, true)).toContain('line 90')
})

test('thoughts are one line until they are unfolded', () => {
  const said = { kind: 'thinking', text: `Tea needs water.\n\n${'Water needs heat. '.repeat(9)}` } as const
  expect(drawn(said).trim().split('\n')).toHaveLength(1)
  expect(drawn(said)).toContain('thought (Ctrl+O shows it): Tea needs water.')
  expect(drawn(said, true).replace(/\s+/g, ' ')).toContain('Water needs heat. '.repeat(9).trim())
})

test('K4 no kind of thing brings more than text to the terminal', () => {
  const hostile = 'a\u001b]52;c;aGk=\u0007b\u001b[2J\u009b31mc\u202ed'
  for (const kind of ['user', 'assistant', 'thinking', 'tool', 'note', 'warning'] as const) {
    for (const isUnfolded of [false, true]) {
      const said = { key: 'k', kind, title: hostile, text: hostile }
      const element = createElement(SaidView, { said, columns: 60, isUnicode: true, isUnfolded })
      const text = renderToString(element, { columns: 60 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: styles of ours, and nothing else.
      expect(text.replace(/\u001b\[[0-9;]*m/g, '')).not.toMatch(/[\u001b\u0007\u009b\u202e]/)
    }
  }
})

test('without Unicode our signs are ASCII', () => {
  const shown = drawn({ kind: 'tool', title: 'edit(edits=[…])', text: 'x' }, false, false)
  expect(shown).toBe('* edit(edits=[...])\n  x')
  expect(drawn({ kind: 'note', text: 'a “b” … → c' }, false, false)).toBe('a "b" ... -> c')
})
