import { graphemesOf } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editorWith, emptyEditor } from './editor-state.ts'
import { insert } from './press.ts'
import { after, alt, anyStroke, anyText, at, ctrl, key, marked, pressedBy } from './testing/keys.ts'

const left = key({ leftArrow: true })
const right = key({ rightArrow: true })
const up = key({ upArrow: true })
const down = key({ downArrow: true })
const backspace = key({ backspace: true })
const enter = key({ return: true }, '\r')
const undo = ctrl('_')

test('what is typed stands before the cursor, pasted line ends become line feeds', () => {
  expect(marked(after(emptyEditor, 'a', 'b', left, 'x'))).toBe('ax|b')
  expect(after(emptyEditor, 'one\r\ntwo\rthree\nfour').text).toBe('one\ntwo\nthree\nfour')
  expect(after(emptyEditor, 'if\n\tx').text).toBe('if\n\tx')
})

test('Enter submits the whole text, wherever the cursor is', () => {
  expect(pressedBy(at('one|\ntwo'), enter)).toEqual({ type: 'submit', text: 'one\ntwo' })
  expect(pressedBy(emptyEditor, enter)).toEqual({ type: 'submit', text: '' })
})

test('keys that came at once are keys: text with Enter, Ctrl+A twice', () => {
  expect(pressedBy(at('say |'), 'hello\r')).toEqual({ type: 'submit', text: 'say hello' })
  expect(marked(after(emptyEditor, 'hello\\\r'))).toBe('hello\n|')
  expect(marked(after(emptyEditor, 'two words\u0017x\u0001y'))).toBe('y|two x')
  expect(marked(after(at('ab|cd'), '\u000bx\u000c'))).toBe('abx|')
})

test('Shift+Enter, Alt+Enter, Ctrl+J and a backslash before Enter make a line', () => {
  const shiftEnter = key({ return: true, shift: true }, '\r')
  for (const stroke of [shiftEnter, key({ return: true, meta: true }, '\r'), ctrl('j'), '\n'])
    expect(marked(after(at('a|b'), stroke))).toBe('a\n|b')
  expect(marked(after(at('a\\|b'), enter))).toBe('a\n|b')
})

test('Backspace and Delete take what a person sees as one character', () => {
  for (const character of ['a', '東', '👍🏽', '👩‍👩‍👧', '🇩🇪', 'e\u0301', '각', '\n']) {
    expect(after(at(`x${character}|y`), backspace).text).toBe('xy')
    expect(after(at(`x|${character}y`), key({ delete: true })).text).toBe('xy')
    expect(marked(after(at(`x${character}|y`), left))).toBe(`x|${character}y`)
    expect(marked(after(at(`x|${character}y`), right))).toBe(`x${character}|y`)
  }
  expect(after(at('|a'), backspace)).toEqual(at('|a'))
})

test('words: by arrows with Ctrl or Alt, over lines, in Chinese too', () => {
  const wordLeft = key({ leftArrow: true, ctrl: true })
  const wordRight = key({ rightArrow: true, meta: true })
  expect(marked(after(at('one two-three|'), wordLeft))).toBe('one two-|three')
  expect(marked(after(at('one\n  |two'), wordLeft))).toBe('|one\n  two')
  expect(marked(after(at('|one two'), wordRight))).toBe('one| two')
  expect(marked(after(at('one|\n\n two x'), wordRight))).toBe('one\n\n two| x')
  expect(marked(after(at('我们喜欢苹果|'), alt('b')))).toBe('我们喜欢|苹果')
  expect(marked(after(at('one| ...'), alt('f')))).toBe('one ...|')
})

test('Home, End, Ctrl+A and Ctrl+E stay in the line', () => {
  const text = 'one\ntw|o\nthree'
  for (const stroke of [key({ home: true }), ctrl('a')])
    expect(marked(after(at(text), stroke))).toBe('one\n|two\nthree')
  for (const stroke of [key({ end: true }), ctrl('e')]) expect(marked(after(at(text), stroke))).toBe('one\ntwo|\nthree')
})

test('↑ and ↓ keep the column, counted as it is seen, over shorter lines', () => {
  expect(marked(after(at('東京都\nabcd|ef'), up))).toBe('東京|都\nabcdef')
  expect(marked(after(at('abcde|f\nx\nabcdef'), down, down))).toBe('abcdef\nx\nabcde|f')
  expect(marked(after(at('abcde|f\nx\nabcdef'), down, left, down))).toBe('abcdef\nx\n|abcdef')
})

test('↑ and ↓ go by drawn rows where the width is known', () => {
  const moved = pressedBy(at('aaa bb|b ccc'), down, 5)
  expect(moved.type === 'state' && marked(moved.state)).toBe('aaa bbb cc|c')
  const shorter = pressedBy(at('bbbbbb\ncccc|'), up, 5)
  expect(shorter.type === 'state' && marked(shorter.state)).toBe('bbbbbb|\ncccc')
  const wrapped = shorter.type === 'state' ? pressedBy(shorter.state, up, 5) : shorter
  expect(wrapped.type === 'state' && marked(wrapped.state)).toBe('bbb|bbb\ncccc')
})

test('↑ in the first row and ↓ in the last one ask for another prompt', () => {
  expect(pressedBy(at('on|e\ntwo'), up)).toEqual({ type: 'history', direction: 'earlier' })
  expect(pressedBy(at('one\n|two'), down)).toEqual({ type: 'history', direction: 'later' })
  expect(pressedBy(at('one t|wo'), up, 5).type).toBe('state')
})

test('kills can be yanked, those in a row as one piece', () => {
  expect(marked(after(at('one two| three'), ctrl('u')))).toBe('| three')
  expect(marked(after(at('one two| three'), ctrl('k')))).toBe('one two|')
  expect(marked(after(at('one two| three'), ctrl('w'), ctrl('w'), ctrl('k'), 'x', ctrl('y')))).toBe('xone two three|')
  expect(marked(after(at('one\n|two'), ctrl('u'), ctrl('u'), ctrl('u')))).toBe('|two')
  expect(marked(after(at('one|\ntwo'), ctrl('k'), ctrl('k')))).toBe('one|')
})

test('Ctrl+_ undoes a word of typing, a run of Backspace, one kill', () => {
  const typed = after(emptyEditor, ...'one two'.split(''))
  expect(after(typed, undo).text).toBe('one ')
  expect(after(typed, undo, undo, undo).text).toBe('')
  expect(after(typed, backspace, backspace, undo).text).toBe('one two')
  expect(marked(after(typed, ctrl('w'), ctrl('u'), undo))).toBe('one |')
})

test('keys of others leave the very same state', () => {
  const state = at('a|b')
  const others = [
    key({ escape: true }),
    key({ tab: true }),
    ctrl('c'),
    alt('x'),
    key({ pageUp: true }),
    key({ super: true }, 'v'),
  ]
  for (const stroke of others) expect(after(state, stroke)).toBe(state)
  expect(after(state, key({ eventType: 'release' }, 'x'))).toBe(state)
})

test('K4 nothing gets in that drives a terminal', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const state of [insert(emptyEditor, text), editorWith(text)])
        expect(state.text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u)
    }),
  )
})

test('whatever is pressed, the cursor is between two characters of the text', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.array(anyStroke, { maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      (text, strokes, columns) => {
        let state = editorWith(text)
        for (const stroke of strokes) {
          const pressed = pressedBy(state, stroke, columns)
          if (pressed.type === 'state') state = pressed.state
          expect(bordersOf(state.text)).toContain(state.cursor)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('undo takes any insertion back, Backspace that of one character', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), anyText, (text, place, piece) => {
      const filled = editorWith(text)
      const borders = bordersOf(filled.text)
      const state = { ...filled, cursor: borders[place % borders.length] ?? 0 }
      const { cursor } = state
      const inserted = insert(state, piece)
      expect(inserted === state ? state : after(inserted, undo)).toMatchObject({ text: state.text, cursor })

      const [character = 'x'] = graphemesOf(editorWith(piece).text)
      const one = insert(state, character)
      // A character that joins with its neighbours is none of its own any more.
      const isApart = [cursor, cursor + character.length].every((border) => bordersOf(one.text).includes(border))
      fc.pre(isApart)
      expect(after(one, backspace)).toMatchObject({ text: state.text, cursor })
    }),
    { numRuns: 500 },
  )
})

function bordersOf(text: string): number[] {
  const borders = [0]
  for (const grapheme of graphemesOf(text)) borders.push((borders.at(-1) ?? 0) + grapheme.length)
  return borders
}
