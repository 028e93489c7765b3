import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openBench, textOfOutput } from '../testing/tool-bench.ts'
import { grepTool } from './grep.ts'
import { runSearch } from './run-search.ts'

function fill(cwd: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), content)
  }
}

test('lines are found with path and number, in order', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, { 'b.txt': 'one\nTwo\n', 'a/c.txt': 'x\r\ntwo times two\r\n', 'a/d.ts': 'two' })
  const output = await call(grepTool, { pattern: 't[uw]o' })
  expect(textOfOutput(output)).toBe('a/c.txt:2: two times two\na/d.ts:1: two')
  expect(output.details).toEqual({ count: 2, endedBy: 'end' })
  expect(textOfOutput(await call(grepTool, { pattern: 'TWO', ignoreCase: true, path: 'b.txt' }))).toBe('b.txt:2: Two')
  expect(textOfOutput(await call(grepTool, { pattern: 'two', glob: '*.ts' }))).toBe('a/d.ts:1: two')
  expect(textOfOutput(await call(grepTool, { pattern: 'two', glob: 'a/*.txt' }))).toBe('a/c.txt:2: two times two')
  expect(textOfOutput(await call(grepTool, { pattern: 'two', path: 'a', glob: '{c,x}.txt' }))).toBe(
    'a/c.txt:2: two times two',
  )
  expect(textOfOutput(await call(grepTool, { pattern: 'nowhere' }))).toBe('[no line found]')
})

test('plain text is found as it is, and a pattern that is none is refused in words', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, { a: 'f(x)[0]-{1}/^$.*+?|\\\nf.x.' })
  const pattern = 'f(x)[0]-{1}/^$.*+?|\\'
  expect(textOfOutput(await call(grepTool, { pattern, fixed: true }))).toBe(`a:1: ${pattern}`)
  const output = await call(grepTool, { pattern: 'f(' })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toContain('Set fixed')
})

test('what is ignored is left out: .git, node_modules, binary files and what .gitignore names', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, {
    '.gitignore': '# comment\n*.log\n!keep.log\n/dist\nbuild/\nsrc/**/gen\n',
    '.git/config': 'x',
    'node_modules/p/index.js': 'x',
    'sub/node_modules/p/index.js': 'x',
    'a.log': 'x',
    'keep.log': 'x',
    'dist/a': 'x',
    'sub/dist/a': 'x',
    'sub/build/a': 'x',
    'build.txt': 'x',
    'src/deep/er/gen': 'x',
    'sub/.gitignore': 'own.txt\n!b.log\n',
    'sub/own.txt': 'x',
    'sub/b.log': 'x',
    'own.txt': 'x',
    binary: 'x\0x',
    '.hidden': 'x',
  })
  const paths = (text: string) => text.split('\n').map((line) => line.split(':')[0])
  const all = ['.hidden', 'build.txt', 'keep.log', 'own.txt', 'sub/b.log', 'sub/dist/a']
  expect(paths(textOfOutput(await call(grepTool, { pattern: '^x' })))).toEqual(all)
  // The rules of the project hold wherever below it the search begins; a file that is named is searched.
  expect(paths(textOfOutput(await call(grepTool, { pattern: '^x', path: 'sub' })))).toEqual(all.slice(4))
  expect(textOfOutput(await call(grepTool, { pattern: 'x', path: 'a.log' }))).toBe('a.log:1: x')
})

test('results are limited and long lines cut around the match', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, { a: 'needle\n'.repeat(500), b: `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n` })
  const limited = textOfOutput(await call(grepTool, { pattern: 'needle' })).split('\n')
  expect(limited).toHaveLength(101)
  expect(limited.at(-1)).toContain('the first 100; there is more')
  const cut = textOfOutput(await call(grepTool, { pattern: 'needle', path: 'b' }))
  expect(cut).toMatch(/^b:1: …x{60}needley+…$/)
  expect(cut.length).toBeLessThan(400)
})

test('numbers of lines are right across chunks, also behind an endless line', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, { a: `${`${'x'.repeat(99)}\n`.repeat(10_000) + 'z'.repeat(1_500_000)}\nneedle ä\n` })
  expect(textOfOutput(await call(grepTool, { pattern: 'needle' }))).toBe('a:10002: needle ä')
})

test('an evil pattern is ended, what was found before is kept, and the process answers meanwhile', async () => {
  const { cwd } = await openBench()
  fill(cwd, { a: 'aab\n', b: `${'a'.repeat(60)}!\n`, c: 'aab\n' })
  const order = { cwd, start: cwd, pattern: { source: '^(a+)+b', flags: '' }, limit: 10 }
  let ticks = 0
  const tick = setInterval(() => ticks++, 10)
  const result = await runSearch(order, new AbortController().signal, 1500).finally(() => clearInterval(tick))
  expect(result).toMatchObject({ endedBy: 'time', found: [{ names: ['a'], line: 1, text: 'aab' }] })
  expect(ticks).toBeGreaterThan(20)
})

test('a search that is cancelled ends at once', async () => {
  const { cwd } = await openBench()
  fill(cwd, { b: `${'a'.repeat(60)}!\n` })
  const cancel = new AbortController()
  const order = { cwd, start: cwd, pattern: { source: '^(a+)+b', flags: '' }, limit: 10 }
  const running = runSearch(order, cancel.signal)
  cancel.abort()
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  await expect(runSearch(order, cancel.signal)).rejects.toMatchObject({ name: 'AbortError' })
})

test('rings of links, deep folders and zeros without end are survived', async () => {
  const { cwd, call } = await openBench()
  const deep = Array.from({ length: 300 }, (_, i) => `d${i}`).join('/')
  fill(cwd, { [`${deep}/f`]: 'needle', sparse: 'needle\n' })
  truncateSync(join(cwd, 'sparse'), 1024 ** 3)
  symlinkSync('.', join(cwd, 'ring'))
  symlinkSync('/', join(cwd, 'root'))
  const startedAt = performance.now()
  expect(textOfOutput(await call(grepTool, { pattern: 'needle' }))).toBe(`${deep}/f:1: needle`)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test.runIf(process.getuid?.() !== 0)('what cannot be read is counted', async () => {
  const { cwd, call } = await openBench()
  fill(cwd, { a: 'x', b: 'x' })
  chmodSync(join(cwd, 'a'), 0)
  expect(textOfOutput(await call(grepTool, { pattern: 'x' }))).toBe('b:1: x\n[1 could not be read]')
})

test('a path that is not there is told of', async () => {
  const { call } = await openBench()
  expect(textOfOutput(await call(grepTool, { pattern: 'x', path: 'nowhere' }))).toBe('nowhere does not exist.')
})

test('a key is not found, in whole or in part, nor shown in part where a line is cut', async () => {
  const { cwd, call } = await openBench()
  const key = 'sk-live-0123456789abcdef'
  fill(cwd, { 'a.txt': `${'x'.repeat(290)} ${key}${' y'.repeat(300)}\n` })
  const grep = async (pattern: string) => textOfOutput(await call(grepTool, { pattern }, { secrets: [key] }))
  expect(await grep('sk-live-01')).toBe('[no line found]')
  expect(await grep('x')).not.toContain('sk-')
  expect(await grep('\\*\\*\\* y')).toContain('*** y')
})

test.skipIf(process.platform !== 'linux')(
  'a .gitignore that is slow to read, or never ends, holds nothing up',
  async () => {
    const { cwd, call } = await openBench()
    fill(cwd, { 'a/b.txt': 'here', '.gitignore': `${' '.repeat(250_000)}x\n${'['.repeat(5_000)}` })
    symlinkSync('/proc/self/pagemap', join(cwd, 'a/.gitignore'))
    expect(textOfOutput(await call(grepTool, { pattern: 'here' }))).toBe('a/b.txt:1: here')
  },
)
