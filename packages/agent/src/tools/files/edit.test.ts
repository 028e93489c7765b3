import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareCall } from '../prepare-call.ts'
import { runTool } from '../run-tool.ts'
import { openBench, textOfOutput } from '../testing/tool-bench.ts'
import { editTool } from './edit.ts'
import { replaceText } from './replace-text.ts'
import { writeTool } from './write.ts'

test('exact texts are replaced, several at once, and the difference is in the details', async () => {
  const { cwd, call } = await openBench()
  const path = join(cwd, 'a.ts')
  writeFileSync(path, 'one\ntwo\nthree\n')
  chmodSync(path, 0o640)
  const edits = [
    { oldText: 'three', newText: '3' },
    { oldText: 'one', newText: '1' },
  ]
  const output = await call(editTool, { path: 'a.ts', edits })
  expect(textOfOutput(output)).toBe('Changed a.ts (2 edits).')
  expect(readFileSync(path, 'utf8')).toBe('1\ntwo\n3\n')
  expect(output.details?.diff).toBe('--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n-one\n+1\n two\n-three\n+3')
  expect(statSync(path).mode & 0o777).toBe(0o640)
})

test.each([
  ['\ufeffone\r\ntwo\r\nthree\r\n', 'two\nthree', '2\n2b\n3', '\ufeffone\r\n2\r\n2b\r\n3\r\n'],
  ['one\r\ntwo\nthree\r\n', 'one\ntwo\nthree', '1\n2', '1\r\n2\r\n'],
  ['one\r\ntwo\nthree\n', 'two', '2\n2b', 'one\r\n2\n2b\nthree\n'],
  ['one\r\ntwo', 'two', '2\n2b', 'one\r\n2\r\n2b'],
  ['one\ntwo\n', 'one\r\ntwo', '1\r\n2', '1\n2\n'],
  ['a\rb\r\nc', 'a\rb', 'x', 'x\r\nc'],
  ['$', '$', "$& $1 $'", "$& $1 $'"],
])(
  'in %j, %j becomes %j and all else stays, line ends and byte order mark too',
  async (before, oldText, newText, after) => {
    const { cwd, call } = await openBench()
    writeFileSync(join(cwd, 'a'), before)
    await call(editTool, { path: 'a', edits: [{ oldText, newText }] })
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe(after)
  },
)

test('a text that is there twice needs more around it, or all', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), 'x\ny\nx\n')
  const output = await call(editTool, { path: 'a', edits: [{ oldText: 'x', newText: 'z' }] })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toContain('is there 2 times, at lines 1, 3.')
  await call(editTool, { path: 'a', edits: [{ oldText: 'x', newText: 'z', all: true }] })
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('z\ny\nz\n')
})

test('all edits are made or none, and each that does not fit is told', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), 'one\ntwo\n')
  const edits = [
    { oldText: 'one', newText: '1' },
    { oldText: 'three', newText: '3' },
    { oldText: '', newText: '4' },
    { oldText: 'two', newText: 'two' },
  ]
  const text = textOfOutput(await call(editTool, { path: 'a', edits }))
  expect(text).toContain('a was not changed.')
  expect(text).toContain('Edit 2: the text to replace was not found.')
  expect(text).toContain('Edit 3: the text to replace is empty.')
  expect(text).toContain('Edit 4: the text to replace is the same')
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('one\ntwo\n')
})

test('edits that overlap are refused', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), 'one two three')
  const edits = [
    { oldText: 'one two', newText: '1' },
    { oldText: 'two three', newText: '2' },
  ]
  expect(textOfOutput(await call(editTool, { path: 'a', edits }))).toContain('Edits 1 and 2 overlap.')
})

test('of a text that is not found the nearest lines are shown, and one that differs only in blanks', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), 'const a = 1\n\nfunction  makeTea(cup) {\n  boil( cup)\n}\n')
  const near = await call(editTool, { path: 'a', edits: [{ oldText: 'function makeTee(cup) {', newText: 'x' }] })
  expect(textOfOutput(near)).toContain('The nearest lines are:\n1: const a = 1\n2: \n3: function  makeTea(cup) {')
  const blanks = await call(editTool, {
    path: 'a',
    edits: [{ oldText: 'function makeTea(cup) {\n\tboil( cup)', newText: 'x' }],
  })
  expect(textOfOutput(blanks)).toContain('With other blanks it is there:')
  const far = await call(editTool, { path: 'a', edits: [{ oldText: 'zzzzzz', newText: 'x' }] })
  expect(textOfOutput(far)).toBe('a was not changed.\nThe text to replace was not found.')
})

test('looking for the nearest lines of a large file takes no time to speak of', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), `${'abcdefgh '.repeat(40)}\n`.repeat(40_000))
  const startedAt = performance.now()
  await call(editTool, { path: 'a', edits: [{ oldText: 'hgfedcba '.repeat(40), newText: 'x' }] })
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('a link is edited through; what is not text is refused', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a'), 'one')
  symlinkSync('a', join(cwd, 'link'))
  await call(editTool, { path: 'link', edits: [{ oldText: 'one', newText: '1' }] })
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('1')
  const latin = Buffer.from('gr\xfc\xdfe', 'latin1')
  writeFileSync(join(cwd, 'b'), latin)
  expect(textOfOutput(await call(editTool, { path: 'b', edits: [{ oldText: 'gr', newText: 'x' }] }))).toContain(
    'not UTF-8',
  )
  expect(readFileSync(join(cwd, 'b'))).toEqual(latin)
  expect(textOfOutput(await call(editTool, { path: 'c', edits: [{ oldText: 'x', newText: 'y' }] }))).toBe(
    'c does not exist.',
  )
})

const piece = fc.stringMatching(/^[ab\r\n]{0,6}$/)

test('whatever the file, what is not replaced stays byte for byte', () => {
  fc.assert(
    fc.property(piece, piece, fc.stringMatching(/^[xy\n]{1,4}$/), (head, tail, oldText) => {
      const before = `${head}|${oldText}|${tail}`
      expect(replaceText(before, [{ oldText: `|${oldText}|`, newText: '<>' }], 'a')).toBe(`${head}<>${tail}`)
    }),
  )
})

test('K4 an edit of something else than was shown is not made: changed meanwhile, or led elsewhere by a link', async () => {
  const { cwd, context } = await openBench()
  const [path, outside] = [join(cwd, 'a.txt'), join(cwd, 'b.txt')]
  writeFileSync(path, 'one\n')
  writeFileSync(outside, 'one\n')
  const call = { name: 'edit', arguments: { path: 'a.txt', edits: [{ oldText: 'one', newText: '1', all: true }] } }
  for (const meddle of [
    () => writeFileSync(path, 'one\none\n'),
    () => {
      rmSync(path)
      symlinkSync(outside, path)
    },
  ]) {
    const prepared = await prepareCall([editTool], call, context())
    if (prepared.type !== 'ready') throw new Error('not ready')
    meddle()
    const now = readFileSync(path, 'utf8')
    const output = await runTool(editTool, prepared.input, context())
    expect(textOfOutput(output)).toBe('a.txt was changed by somebody else meanwhile. Read it again.')
    expect(readFileSync(path, 'utf8')).toBe(now)
  }
})

test('K4 the question shows a carriage return that an edit would bring into a file without', async () => {
  const { cwd, context } = await openBench()
  writeFileSync(join(cwd, 'a'), 'one\ntwo\n')
  const edits = [{ oldText: 'two', newText: '2\r\r\n2' }]
  const prepared = await prepareCall([editTool], { name: 'edit', arguments: { path: 'a', edits } }, context())
  expect(prepared.type === 'ready' && prepared.preview.body).toContain('+2⟨U+000D⟩\n+2')
})

test('a key does not come out in the words about an edit that fails', async () => {
  const { cwd, call } = await openBench()
  const key = 'sk-live-0123456789abcdef'
  writeFileSync(join(cwd, 'auth.json'), `{\n  "key": "${key}"\n}\n`)
  const edits = [{ oldText: '"key": "sk-live-012"', newText: '' }]
  const text = textOfOutput(await call(editTool, { path: 'auth.json', edits }, { secrets: [key] }))
  expect(text).toContain('2:   "key": "***"')
})

test('many wrong edits of a large file are told of in little time', async () => {
  const line = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(6)
  const text = Array.from({ length: 20_000 }, (_, i) => `${i} ${line}`).join('\n')
  const edits = Array.from({ length: 100 }, (_, i) => ({ oldText: `qwertyuiopasdfgh${i}`.repeat(9), newText: '' }))
  const startedAt = performance.now()
  expect(() => replaceText(text, edits, 'a')).toThrow('Edit 100: the text to replace was not found.')
  const braces = { oldText: `${'}\n'.repeat(10_000)}x`, newText: '' }
  expect(() => replaceText('}\n'.repeat(20_000), [braces], 'a')).toThrow('not found')
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

test.skipIf(process.platform !== 'linux')(
  'a file of the kernel that never ends is refused, and takes little',
  async () => {
    const { call } = await openBench()
    const before = process.memoryUsage().rss
    for (const [tool, input] of [
      [editTool, { path: '/proc/self/pagemap', edits: [{ oldText: 'a', newText: 'b' }] }],
      [writeTool, { path: '/proc/self/pagemap', content: 'x' }],
    ] as const) {
      expect((await call(tool, input)).isError).toBe(true)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  },
)
