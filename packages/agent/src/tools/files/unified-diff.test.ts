import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { diffLines } from './line-diff.ts'
import { unifiedDiff } from './unified-diff.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 40 })

test('a difference leads from one to the other', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const runs = diffLines(before, after)
      const pick = (type: string) =>
        runs.filter((run) => run.type === 'same' || run.type === type).flatMap((run) => run.lines)
      expect(pick('removed')).toEqual(before)
      expect(pick('added')).toEqual(after)
    }),
  )
})

test('patch understands it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-diff-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const text = lines.map((list) => list.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '')
      writeFileSync(join(folder, 'f'), before)
      writeFileSync(join(folder, 'p'), `${unifiedDiff('f', before, after)}\n`)
      execFileSync('git', ['apply', '--unsafe-paths', '--whitespace=nowarn', 'p'], { cwd: folder, stdio: 'pipe' })
      expect(readFileSync(join(folder, 'f'), 'utf8')).toBe(after)
    }),
    { numRuns: 60 },
  )
})

test('texts that have nothing in common are told apart quickly', () => {
  const before = Array.from({ length: 100_000 }, (_, i) => `old ${i}\n`).join('')
  const after = Array.from({ length: 100_000 }, (_, i) => `new ${i}\n`).join('')
  const startedAt = performance.now()
  expect(unifiedDiff('f', before, after).split('\n')).toHaveLength(200_003)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('the same texts have none', () => {
  expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('')
})
