import { expect, test } from 'vitest'
import { highlight, loadLanguage } from './highlight.ts'

test('code comes back whole, in pieces that say what they are', async () => {
  expect(await loadLanguage('ts')).toBe(true)
  const code = "const a: string = `x` // <script>\nexport function go() { return 'b' }"
  const tokens = highlight(code, 'ts')!
  expect(tokens.map(({ text }) => text).join('')).toBe(code)
  expect(tokens).toContainEqual({ text: 'const', kind: 'keyword' })
  expect(tokens.find(({ kind }) => kind === 'comment')?.text).toBe('// <script>')
})

test('a language inside another is coloured too', async () => {
  await Promise.all([loadLanguage('html'), loadLanguage('js')])
  const code = '<p>a</p><script>const b = 1</script>'
  const tokens = highlight(code, 'html')!
  expect(tokens.map(({ text }) => text).join('')).toBe(code)
  expect(tokens).toContainEqual({ text: 'const', kind: 'keyword' })
})

test('what no language is known for, or is too long, stays as it is', async () => {
  expect(await loadLanguage('nonsense')).toBe(false)
  expect(await loadLanguage('constructor')).toBe(false)
  expect(highlight('a', 'nonsense')).toBeUndefined()
  await loadLanguage('json')
  expect(highlight('1'.repeat(40_000), 'json')).toBeUndefined()
})
