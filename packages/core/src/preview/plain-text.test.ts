import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { plainText } from './plain-text.ts'

const ESC = '\u001b'

/** Told by number, so that the test does not share an expression with what it tests. */
function isDangerous(char: string): boolean {
  const code = char.codePointAt(0)!
  if (code === 0x09 || code === 0x0a) return false
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  const isBidi = code === 0x061c || code === 0x200e || code === 0x200f
  const isBidiRange = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return isControl || isBidi || isBidiRange || (code >= 0xd800 && code <= 0xdfff)
}

const hostile = fc.oneof(
  fc.constantFrom(ESC, '[', ']', '\\', '\u0007', '\u009b', '\u009d', '\u009c', '\u0090', '\r', '\n', '\t', '\u0000'),
  fc.constantFrom('\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c', '\u007f', '\u0085', 'm', ';', '31', ' '),
  fc.constantFrom('\ud83d', '\ude00', '😀', '\u200d', 'é', '日'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const hostileText = fc.array(hostile, { maxLength: 60 }).map((parts) => parts.join(''))

test('K4 no stored text keeps a control, an escape, a bidi control or half a character', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect([...plainText(text)].filter(isDangerous)).toEqual([])
    }),
    { numRuns: runs(2000) },
  )
})

test('K4 what is plain already stays as it is, also after a second time', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const once = plainText(text)
      expect(plainText(once)).toBe(once)
      const harmless = [...text].filter((char) => !isDangerous(char)).join('')
      expect(plainText(harmless)).toBe(harmless)
    }),
    { numRuns: runs(1000) },
  )
})

test.each([
  ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
  ['the clipboard write Ink passes on', `a${ESC}]52;c;ZWNobyBoaQ==\u0007b`, 'ab'],
  ['a title set the eight-bit way', 'a\u009d0;owned\u009cb', 'ab'],
  ['a link', `${ESC}]8;;https://x.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['a device control string', `a${ESC}P+q544e${ESC}\\b`, 'ab'],
  ['a reset', `a${ESC}cb`, 'ab'],
  ['a character set switch', `a${ESC}(0b`, 'ab'],
  ['an escape at the end', `a${ESC}`, 'a\ufffd'],
  ['NUL, backspace and DEL', 'a\u0000b\bc\u007fd', 'a\ufffdb\ufffdc\ufffdd'],
  ['a reversed file name', 'exe\u202etxt.cod\u202c', 'exetxt.cod'],
  ['half an emoji', 'a\ud83db', 'a\ufffdb'],
])('K4 %s cannot act on the terminal', (_name, text, plain) => {
  expect(plainText(text)).toBe(plain)
})

test('a sequence that never ends takes no text with it', () => {
  expect(plainText(`before${ESC}]0;all of this\nis still there`)).toBe('before0;all of this\nis still there')
})

test('a carriage return hides nothing', () => {
  expect(plainText('rm -rf /\recho hi\r\nend')).toBe('rm -rf /\necho hi\nend')
})

test('letters that need joiners, accents and tabs are kept', () => {
  const text = 'a\tb\n👨‍👩‍👧 é نص שלום 日本'
  expect(plainText(text)).toBe(text)
})

test('a megabyte of unfinished sequences is read once, not once per sequence', () => {
  for (const start of [`${ESC}]`, `${ESC}[1`, '\u009d', `${ESC} `, `${ESC}`, '\u009b;']) {
    expect(plainText(start.repeat(500_000)).includes(ESC)).toBe(false)
  }
})

test('K4 of all characters, just the controls but line feed and tab are replaced', () => {
  const ends = new Set(['\r', '\u0085'])
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    if (/\p{Cs}|\p{Bidi_Control}/u.test(character) || ends.has(character)) continue
    const isControl = /\p{Cc}/u.test(character) && character !== '\n' && character !== '\t'
    expect(plainText(character)).toBe(isControl ? '\ufffd' : character)
  }
})
