import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatherPastes } from './gather-pastes.ts'

const START = '\u001b[200~'
const END = '\u001b[201~'

/** What is read of pieces that all have come. */
function readAll(pieces: readonly string[]): readonly unknown[] {
  const left = [...pieces]
  const stdin = { read: (): unknown => left.shift() ?? null }
  gatherPastes(stdin)
  const read: unknown[] = []
  for (let piece = stdin.read(); piece !== null; piece = stdin.read()) read.push(piece)
  return read
}

test('a paste comes in one piece, with what stood around it; keys come as they did', () => {
  expect(readAll(['a', `b${START}c`, 'd', `e${END}f`, 'g'])).toEqual(['a', `b${START}cde${END}f`, 'g'])
  expect(readAll([`${START}a${END}`, 'b'])).toEqual([`${START}a${END}`, 'b'])
  expect(readAll([`${START}a\u001b[20`, '1~b', 'c'])).toEqual([`${START}a\u001b[201~b`, 'c'])
})

test('while it is on its way nothing is read, and nothing of it is lost later', () => {
  const left = [`${START}a`]
  const stdin = { read: (): unknown => left.shift() ?? null }
  gatherPastes(stdin)
  expect(stdin.read()).toBe(null)
  left.push('b', `${END}c`)
  expect(stdin.read()).toBe(`${START}ab${END}c`)
})

test('one whose end never comes is ended by Ctrl+C, and keys are heard again', () => {
  expect(readAll([`${START}a`, 'b', '\u0003', 'c'])).toEqual([`${START}ab${END}`, 'c'])
})

test('property: however it is cut, the same is read', () => {
  const part = fc.constantFrom(START, END, 'text', '\u001b', '[', '\r')
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(20)), (parts, cuts) => {
      const all = `${parts.join('')}${END}`
      const places = [0, ...cuts.map((cut) => cut % all.length).sort((a, b) => a - b), all.length]
      const pieces = places.slice(1).map((to, i) => all.slice(places[i], to))
      expect(readAll(pieces.filter((piece) => piece !== '')).join('')).toBe(all)
    }),
  )
})
