import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareCall } from '../prepare-call.ts'
import { runTool } from '../run-tool.ts'
import { openBench, type ToolBench, textOfOutput } from '../testing/tool-bench.ts'
import { writeTool } from './write.ts'

async function previewOf({ context }: ToolBench, input: Record<string, unknown>) {
  const prepared = await prepareCall([writeTool], { name: 'write', arguments: input }, context())
  if (prepared.type === 'refused') throw new Error(textOfOutput(prepared.output))
  return prepared.preview
}

test('a file is written, with the folders above it and nothing beside it', async () => {
  const { cwd, call } = await openBench()
  const output = await call(writeTool, { path: 'a/b/c.txt', content: 'grüße\n' })
  expect(output.isError).toBeUndefined()
  expect(textOfOutput(output)).toBe('Wrote 8 bytes to a/b/c.txt.')
  expect(readFileSync(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('grüße\n')
  expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c.txt'])
})

test('the mode of an existing file stays, whatever the umask', async () => {
  const { cwd, call } = await openBench()
  const path = join(cwd, 'run.sh')
  writeFileSync(path, 'old')
  chmodSync(path, 0o775)
  await call(writeTool, { path: 'run.sh', content: 'new' })
  expect(statSync(path).mode & 0o7777).toBe(0o775)
  expect(readFileSync(path, 'utf8')).toBe('new')
})

test('a link is written through and stays a link, also one that leads to nothing yet', async () => {
  const { cwd, call } = await openBench()
  mkdirSync(join(cwd, 'real'))
  writeFileSync(join(cwd, 'real/a.txt'), 'old')
  symlinkSync('real/a.txt', join(cwd, 'link'))
  symlinkSync('link', join(cwd, 'far'))
  symlinkSync('real/new.txt', join(cwd, 'dangling'))
  await call(writeTool, { path: 'far', content: 'through' })
  await call(writeTool, { path: 'dangling', content: 'made' })
  expect(readFileSync(join(cwd, 'real/a.txt'), 'utf8')).toBe('through')
  expect(readFileSync(join(cwd, 'real/new.txt'), 'utf8')).toBe('made')
  expect(['link', 'far', 'dangling'].map((name) => readlinkSync(join(cwd, name)))).toEqual([
    'real/a.txt',
    'link',
    'real/new.txt',
  ])
})

test.each([
  ['folder', 'folder is a folder.'],
  ['file/below', 'file/below is below something that is no folder.'],
  ['ring', 'ring leads through too many links.'],
  ['/dev/null', '/dev/null is no regular file and is not written to.'],
  ['x\0y', '"x\\u0000y" cannot be the path of a file.'],
])('%j is refused and nothing is left behind', async (path, words) => {
  const { cwd, call } = await openBench()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'file'), 'x')
  symlinkSync('ring', join(cwd, 'ring'))
  const output = await call(writeTool, { path, content: 'x' })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toBe(words)
  expect(readdirSync(cwd).sort()).toEqual(['file', 'folder', 'ring'])
})

test('half a character is refused instead of turned into something else', async () => {
  const { cwd, call } = await openBench()
  const output = await call(writeTool, { path: 'a.txt', content: 'x\ud83d' })
  expect(textOfOutput(output)).toContain('half of a character')
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
})

test('the question shows the whole new file, or what changes in an old one', async () => {
  const bench = await openBench()
  const content = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\n')
  expect(await previewOf(bench, { path: 'a.txt', content })).toEqual({
    title: 'write a.txt',
    body: content,
    language: 'text',
  })
  writeFileSync(join(bench.cwd, 'a.txt'), 'one\ntwo\n')
  expect(await previewOf(bench, { path: 'a.txt', content: 'one\n2\n' })).toEqual({
    title: 'write a.txt',
    language: 'diff',
    body: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2',
  })
})

test('K4 the question hides nothing: what no reader would see is spelled out', async () => {
  const bench = await openBench()
  const { title, body } = await previewOf(bench, { path: 'a\u202etxt', content: 'safe\r\u001b[2K\u200bevil 👩‍💻' })
  expect(title).toBe('write a⟨U+202E⟩txt')
  expect(body).toBe('safe⟨U+000D⟩⟨U+001B⟩[2K⟨U+200B⟩evil 👩‍💻')
})

test('what leaves the project is marked, by whatever way, and so is what makes programs run', async () => {
  const bench = await openBench()
  const { cwd } = bench
  const outside = join(tmpdir(), 'treeline-elsewhere')
  mkdirSync(join(cwd, 'folder'))
  symlinkSync(tmpdir(), join(cwd, 'out'))
  symlinkSync(outside, join(cwd, 'dangling'))
  symlinkSync('folder', join(cwd, 'in'))
  const isMarked = async (path: string) => (await previewOf(bench, { path, content: '' })).isOutsideProject === true
  for (const path of ['a.txt', 'in/a.txt', 'new/deep/a.txt', './folder/../a.txt', join(cwd, 'a'), '..a', '.github/x']) {
    expect([path, await isMarked(path)]).toEqual([path, false])
  }
  for (const path of [
    '../a',
    'folder/../../a',
    outside,
    'out/a.txt',
    'out/new/a',
    'dangling',
    '~/a',
    '.git/hooks/x',
    '.GIT/config',
    '.treeline/settings.json',
  ]) {
    expect([path, await isMarked(path)]).toEqual([path, true])
  }
  expect(lstatSync(join(cwd, 'dangling')).isSymbolicLink()).toBe(true)
})

test('what somebody wrote while the question was open is not replaced', async () => {
  const { cwd, context } = await openBench()
  for (const before of [undefined, 'old']) {
    const path = join(cwd, `${before}.txt`)
    if (before !== undefined) writeFileSync(path, before)
    const call = { name: 'write', arguments: { path, content: 'of the model' } }
    const prepared = await prepareCall([writeTool], call, context())
    if (prepared.type !== 'ready') throw new Error('not ready')
    writeFileSync(path, 'saved by the user')
    expect(textOfOutput(await runTool(writeTool, prepared.input, context()))).toContain('changed by somebody else')
    expect(readFileSync(path, 'utf8')).toBe('saved by the user')
  }
})

test('the question tells of what is replaced also where it cannot be shown', async () => {
  const bench = await openBench()
  writeFileSync(join(bench.cwd, 'a.png'), Buffer.of(0x89, 0, 0xff))
  expect((await previewOf(bench, { path: 'a.png', content: 'x' })).title).toBe('write a.png (replaces 3 bytes)')
})

test('a name as long as a name can be is written, and written again', async () => {
  const { cwd, call } = await openBench()
  const path = '字'.repeat(85)
  for (const content of ['one', 'two']) expect((await call(writeTool, { path, content })).isError).toBeUndefined()
  expect(readdirSync(cwd)).toEqual([path])
})
