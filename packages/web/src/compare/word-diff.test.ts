import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffPiece, diffWords } from './word-diff.ts'

const shown = (pieces: readonly DiffPiece[]) => pieces.map(({ text, isSame }) => (isSame ? text : `[${text}]`)).join('')
const whole = (pieces: readonly DiffPiece[]) => pieces.map(({ text }) => text).join('')
const common = (pieces: readonly DiffPiece[]) => whole(pieces.filter(({ isSame }) => isSame))

test('words that differ are marked on their side', () => {
  const { left, right } = diffWords('an LRU cache is simple', 'an LFU cache is rather simple')
  expect(shown(left)).toBe('an [LRU] cache is simple')
  expect(shown(right)).toBe('an [LFU] cache is[ rather] simple')
})

test('Chinese is compared by the character', () => {
  const { left, right } = diffWords('缓存很简单', '缓存不简单')
  expect([shown(left), shown(right)]).toEqual(['缓存[很]简单', '缓存[不]简单'])
})

test('both texts are whole, and what is the same reads the same on both sides', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'cache', ' ', '\n', '缓', '…', '🌲'), { maxLength: 60 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [one, two] = [a.join(''), b.join('')]
      const { left, right, isCut } = diffWords(one, two)
      expect([whole(left), whole(right)]).toEqual([one, two])
      expect(common(left)).toBe(common(right))
      expect(isCut).toBe(false)
      if (one === two) expect(common(left)).toBe(one)
    }),
  )
})

test('as much as possible is the same: one word more is one mark', () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
  const more = words.toSpliced(150, 0, 'new')
  expect(shown(diffWords(words.join(' '), more.join(' ')).right)).toMatch(/^[^[]*\[[^\]]*new[^\]]*\][^[]*$/)
})

test('what is too long or too different ends soon and says so', () => {
  const long = Array.from({ length: 3_000 }, (_, i) => `l${i}`).join(' ')
  const other = Array.from({ length: 3_000 }, (_, i) => `r${i}`).join(' ')
  for (const [a, b] of [
    [long, other],
    ['x '.repeat(200_000), 'y'],
    [long.slice(0, 8_000), other.slice(0, 8_000)],
  ] as const) {
    const { left, right, isCut } = diffWords(a, b)
    expect([whole(left) === a, whole(right) === b, isCut]).toEqual([true, true, true])
  }
})
