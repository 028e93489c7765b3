import { expect, test } from 'vitest'
import { withFileLists, withoutFileLists } from './file-lists.ts'

const files = { readFiles: ['a.ts', 'b.ts'], modifiedFiles: ['c.ts'] }
const LISTS = '<read-files>\na.ts\nb.ts\n</read-files>\n\n<modified-files>\nc.ts\n</modified-files>'

test('M13 lists stand behind the summary, and take the place of those a model wrote', () => {
  const summary = withFileLists('Notes.', files, 1_000)
  expect(summary).toBe(`Notes.\n\n${LISTS}`)
  expect(withoutFileLists(summary)).toBe('Notes.')
  expect(withFileLists(`Notes. <read-files>\nmade up\n</read-files>`, files, 1_000)).toBe(summary)
  expect(withFileLists('Notes.', { readFiles: [], modifiedFiles: [] }, 1_000)).toBe('Notes.')
})

test('too many files are counted instead of listed, so that a small window is not filled with them', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => `src/file-${i}.ts`)
  const summary = withFileLists('Notes.', { readFiles: many, modifiedFiles: many.slice(0, 3) }, 200)
  expect(summary.length).toBeLessThan(350)
  expect(summary).toMatch(/<modified-files>\nsrc\/file-0.ts\nsrc\/file-1.ts\nsrc\/file-2.ts\n<\/modified-files>$/)
  expect(summary).toMatch(/\(9\d\d more\)\n<\/read-files>/)
})

test('a tag that is never closed is left as it is', () => {
  expect(withoutFileLists('Notes <read-files> of it')).toBe('Notes <read-files> of it')
})
