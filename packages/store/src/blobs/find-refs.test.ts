import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findByteRefs } from './find-refs.ts'

const REF = `blob:sha256:${'0123456789abcdef'.repeat(4)}`

const find = (text: string) => [...findByteRefs(Buffer.from(text))]

/** As JSON may write it too. */
function escapeOf(char: string, upper = false): string {
  const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${upper ? hex.toUpperCase() : hex}`
}

test('a reference is found however JSON spells it, at its place', () => {
  const spelling = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: REF.length, maxLength: REF.length })
  const around = fc.string()
  fc.assert(
    fc.property(around, spelling, around, (before, how, after) => {
      const spelt = [...REF].map((char, i) => (how[i]! > 1 ? char : escapeOf(char, how[i] === 1))).join('')
      expect(JSON.parse(`"${spelt}"`)).toBe(REF)
      const at = Buffer.byteLength(before)
      expect(find(`${before}${spelt}${after}`)).toContainEqual({ ref: REF, at })
    }),
  )
})

test('several are found in their order, escaped or not, each as often as it is there', () => {
  const other = REF.replace('0', 'f')
  const begun = `blo${escapeOf('b')}${REF.slice(1)}`
  const text = [REF, begun, other, `${other.slice(0, -1)}${escapeOf('f')}`, REF].join('","')
  const found = find(text)
  expect(found.map(({ ref }) => ref)).toEqual([REF, REF, other, other, REF])
  expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => a - b))
})

test.each([
  `blob${escapeOf(':')}sha256:${'a'.repeat(63)}`,
  `blob${escapeOf(':')}sha256:${'A'.repeat(64)}`,
  `blob${escapeOf(';')}sha256:${'a'.repeat(64)}`,
  `blob\\u003sha256:${'a'.repeat(64)}`,
  'blob\\u00',
  '\\u003a',
  `blob:sha256:${'a'.repeat(60)}\\u00`,
])('what only looks like one is none: %s', (text) => {
  expect(find(text)).toEqual([])
})
