import { HeadScanner } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { findLinesNatively } from './line-finder.ts'

const head = (id: number) => `{"type":"message","id":"${id}","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"`
const line = fc.oneof(
  fc
    .tuple(fc.nat(99), fc.string())
    .map(([id, text]) => `${head(id)},"message":{"role":"user","content":${JSON.stringify(text)}}}`),
  fc.tuple(fc.nat(99), fc.string()).map(([id, text]) => `${head(id)},"x":${JSON.stringify({ parentId: text })}}`),
  fc.nat(99).map((id) => `${head(id)},"message":{"role":"us${head(id + 1)}}`),
  fc.nat(99).map((id) => `${head(id)}}${head(id + 1)}}`),
  fc.constantFrom('', '}{"', '"parentId":', 'Id":', 'garbage', '{"text":"a}{"}'),
)

function scan(bytes: Uint8Array, natively: boolean) {
  const scanner = new HeadScanner({ expectsHeader: false, ...(natively && { lineFinder: findLinesNatively }) })
  scanner.push(bytes)
  scanner.end()
  const { heads } = scanner
  const rows = Array.from({ length: heads.count }, (_, row) => [
    heads.offset[row],
    heads.lengthOf(row),
    heads.line[row],
  ])
  return { rows, skipped: scanner.skipped }
}

test('I3 the native search finds the entries and the damage that the portable one finds', () => {
  const filler = `${head(1000)},"message":{"role":"user","content":"${'x'.repeat(70_000)}"}}`
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const bytes = new TextEncoder().encode([...lines, filler, ...lines].join('\n'))
      expect(scan(bytes, true)).toEqual(scan(bytes, false))
    }),
    { numRuns: runs(300) },
  )
})
