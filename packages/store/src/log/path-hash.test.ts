import { expect, test } from 'vitest'
import { pathHash } from './path-hash.ts'

test('paths that are alike have other hashes, in every part of them', () => {
  const paths = new Set<string>()
  for (let i = 0; i < 200_000; i++)
    paths.add(`/home/dev/.pi/agent/sessions/--p-${i % 97}--/2026-11-15T21-24-20-${i}Z_0${i}.jsonl`)
  for (const path of ['', '/', '/a', '/b', '/aa', '/ab', '/ba', '/é', '/e\u0301', '/日本', '/a/b', '/ab/'])
    paths.add(path)
  const hashes = Array.from(paths, pathHash)
  expect(hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))).toBe(true)
  expect(new Set(hashes).size).toBe(paths.size)
  // 64 bits alone would do as well: no lane is only a shadow of another.
  for (const [from, to] of [
    [0, 16],
    [16, 32],
    [8, 24],
  ]) {
    expect(new Set(hashes.map((hash) => hash.slice(from, to))).size).toBe(paths.size)
  }
})

test('it is the same for ever: files are named by it', () => {
  expect(pathHash('/home/me/session.jsonl')).toMatchInlineSnapshot(`"f95197c521a77c0681faa5278b7a35dd"`)
})
