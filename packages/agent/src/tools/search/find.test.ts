import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lsTool } from '../files/ls.ts'
import { openBench, textOfOutput } from '../testing/tool-bench.ts'
import { findTool } from './find.ts'

test('files and folders are found by name or path', async () => {
  const { cwd, call } = await openBench()
  mkdirSync(join(cwd, 'src/deep'), { recursive: true })
  mkdirSync(join(cwd, 'node_modules'))
  for (const name of ['a.ts', 'src/b.ts', 'src/b.test.ts', 'src/deep/c.tsx', 'node_modules/d.ts'])
    writeFileSync(join(cwd, name), '')
  const find = async (input: object) => textOfOutput(await call(findTool, input)).split('\n')
  expect(await find({ glob: '*.ts' })).toEqual(['a.ts', 'src/b.test.ts', 'src/b.ts'])
  expect(await find({ glob: 'src/**/*.{ts,tsx}' })).toEqual(['src/b.test.ts', 'src/b.ts', 'src/deep/c.tsx'])
  expect(await find({ glob: '*', path: 'src' })).toEqual(['src/b.test.ts', 'src/b.ts', 'src/deep/', 'src/deep/c.tsx'])
  expect(await find({ glob: 'deep' })).toEqual(['src/deep/'])
  expect(await find({ glob: '*.ts', limit: 1 })).toEqual([
    'a.ts',
    '[the first 1; there is more: narrow the search or raise limit]',
  ])
  expect(await find({ glob: '*.py' })).toEqual(['[nothing found]'])
  expect(await find({ glob: '*', path: 'a.ts' })).toEqual(['a.ts is no folder.'])
})

test('K4 names of files cannot pretend to be more lines', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a\nb\u001b[31m'), '')
  expect(textOfOutput(await call(findTool, { glob: '*' }))).toBe('a⟨U+000A⟩b⟨U+001B⟩[31m')
  expect(textOfOutput(await call(lsTool, {}))).toBe('a⟨U+000A⟩b⟨U+001B⟩[31m')
})

test('ls lists a folder in the order of names and says what is what', async () => {
  const { cwd, call } = await openBench()
  expect(textOfOutput(await call(lsTool, {}))).toBe('[an empty folder]')
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, '.hidden'), '')
  writeFileSync(join(cwd, 'z'), '')
  symlinkSync('/nowhere', join(cwd, 'link'))
  expect(textOfOutput(await call(lsTool, { path: '.' }))).toBe('.hidden\nfolder/\nlink -> /nowhere\nz')
  expect(textOfOutput(await call(lsTool, { path: 'z' }))).toBe('z is below something that is no folder.')
  expect(textOfOutput(await call(lsTool, { path: 'nowhere' }))).toBe('nowhere does not exist.')
})

test('ls of a large folder is limited', async () => {
  const { cwd, call } = await openBench()
  for (let i = 0; i < 700; i++) writeFileSync(join(cwd, `f${String(i).padStart(3, '0')}`), '')
  const lines = textOfOutput(await call(lsTool, {})).split('\n')
  expect(lines).toHaveLength(501)
  expect(lines.slice(-2)).toEqual(['f499', '[200 others; use find with a glob]'])
})
