import { expect, test } from 'vitest'
import { isDiff, layoutOutput } from './layout-output.ts'

const texts = ({ rows }: ReturnType<typeof layoutOutput>) => rows.map((row) => row.map(({ text }) => text).join(''))

test('the first rows are shown, and the other lines are counted', () => {
  const output = layoutOutput('a\nb\nc\nd\n', 20, 2)
  expect(texts(output)).toEqual(['a', 'b'])
  expect(output.left).toBe(2)
  expect(layoutOutput('a\nb\n', 20, 2)).toMatchObject({ left: 0 })
})

test('a line that is cut counts as one that is left', () => {
  const output = layoutOutput(`${'x'.repeat(50)}\nb`, 10, 3)
  expect(texts(output)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(10)])
  expect(output.left).toBe(2)
})

test('tabs, wide characters and escapes take no more than their rows', () => {
  const output = layoutOutput('\tab\n東京東京東京\n\u001b[2Jred', 10, 8)
  expect(texts(output)).toEqual(['    ab', '東京東京東', '京', 'red'])
})

test('what is not shown is counted and not laid out', () => {
  const long = 'line\n'.repeat(200_000)
  const startedAt = performance.now()
  expect(layoutOutput(long, 80, 8).left).toBe(199_992)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

test('a difference is coloured, a list is not', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two'
  expect(isDiff(diff)).toBe(true)
  expect(layoutOutput(diff, 20, 9).rows.map(([run]) => run?.color)).toEqual([
    undefined,
    undefined,
    'cyan',
    'red',
    'green',
  ])
  expect(isDiff('- one\n- two')).toBe(false)
})
