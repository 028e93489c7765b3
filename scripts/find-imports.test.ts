import { expect, test } from 'vitest'
import { findImports } from './find-imports.ts'

const specifiers = (source: string) => findImports(source).map((found) => found.specifier)

test('every way to load a module is seen', () => {
  const source = `
import 'a'
import b from 'b'
import c, { type C } from "c"
import * as d from 'd'
import type { E } from 'e'
import {
  f, // with a reason
  /* and another */ g,
} from 'f'
export * from 'g'
export * as h from 'h'
export type { I } from 'i'
export { j as k } from 'j'
const l = await import('l')
type M = import('m').M
const n = require('n')
const o = import.meta.resolve('o')
const p = process.getBuiltinModule('p')
const q = await import(\`q\`)
`
  expect(specifiers(source)).toEqual([...'abcdefghijlmnopq'])
})

test('comments, strings and look-alikes load nothing', () => {
  const source = `
// import a from 'a'
/** import b from 'b' */
/*
import c from 'c'
*/
export const d = 1 // taken from 'd'
const e = Array.from('e')
const f = "https://example.org/*"
loader.import('g')
const h = { from: 'h' }
<p>{/* import i from 'i' */}</p>
`
  expect(specifiers(source)).toEqual([])
})

test('slashes in strings and regular expressions hide nothing', () => {
  const source = `
const glob = 'packages/*/src'
const url = /^https?:\\/\\//
const stars = /[/*]/
const apostrophe = /don't/
import a from 'a' /* why */
import b from 'b'
`
  expect(specifiers(source)).toEqual(['a', 'b'])
})

test('the line is the one that names the module', () => {
  expect(findImports("import {\n  a,\n} from 'a'\n\nimport 'b'")).toEqual([
    { specifier: 'a', line: 3 },
    { specifier: 'b', line: 5 },
  ])
})
