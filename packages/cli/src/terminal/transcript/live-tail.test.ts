import { expect, test } from 'vitest'
import { layoutMarkdown } from '../markdown/layout-markdown.ts'
import { liveTail } from './live-tail.ts'

const COLUMNS = 40
const ROWS = 10
const shown = (text: string) =>
  layoutMarkdown(text, COLUMNS, { isUnicode: true })
    .slice(-ROWS)
    .map((line) => line.map((run) => `${run.color ?? ''}${run.dim ? '~' : ''}:${run.text}`).join('|'))

const paragraph = 'A **paragraph** of `some` words, [linked](http://example.com/far/away) and wrapped.\n\n'
const code = `\`\`\`ts\n${'const kettle = "on" // hot\n'.repeat(60)}\`\`\`\n\n`
const list = Array.from({ length: 40 }, (_, i) => `- point ${i}\n`).join('')

test.each([
  ['paragraphs', paragraph.repeat(80)],
  ['code', paragraph + code + code],
  ['code in the middle', (code + paragraph).repeat(8)],
  ['a list', `${list}\n\n${list}`],
  ['code in a list', `1. step\n\n   \`\`\`sh\n${'   echo hi\n'.repeat(90)}   \`\`\`\n`.repeat(2)],
  ['a fence in a fence', `\`\`\`\`md\n\`\`\`ts\n${'let a = 1\n'.repeat(200)}\`\`\`\nstill code\n\`\`\`\`\n`],
])('%s look the same from their end as from their beginning, at every length', (_, text) => {
  const tailOf = liveTail()
  for (let end = 97; end < text.length; end += 97) {
    const now = text.slice(0, end)
    expect(shown(tailOf(now, COLUMNS * ROWS)), `${end}`).toEqual(shown(now))
  }
})

test('of a long text little is laid out, however it is written', () => {
  for (const text of [paragraph.repeat(3000), code.repeat(200), 'word '.repeat(50_000), 'x'.repeat(250_000)]) {
    const tail = liveTail()(text, COLUMNS * ROWS)
    expect(tail.length).toBeLessThan(COLUMNS * ROWS * 6)
    expect(layoutMarkdown(tail, COLUMNS, { isUnicode: true }).length).toBeGreaterThanOrEqual(ROWS)
  }
})

test('another text is not taken for the end of the one before', () => {
  const tailOf = liveTail()
  tailOf(`\`\`\`ts\n${'a\n'.repeat(5_000)}`, 100)
  expect(tailOf('b '.repeat(5_000), 100)).not.toContain('```')
})
