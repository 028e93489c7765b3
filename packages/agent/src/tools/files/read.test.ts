import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobRef } from '@treeline/store'
import { expect, test } from 'vitest'
import { openBench, textOfOutput } from '../testing/tool-bench.ts'
import { readTool } from './read.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** By this process, from wherever. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))![1])
}

test('a text is read as it is, without its byte order mark', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), '\ufeffone\ntwo\n')
  const output = await call(readTool, { path: 'a.txt' })
  expect(output).toMatchObject({ content: [{ type: 'text', text: 'one\ntwo\n' }] })
  expect(output.details).toMatchObject({ path: join(cwd, 'a.txt'), startLine: 1, lineCount: 2, isCut: false })
})

test('offset and limit give these lines, and say how to go on', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n'))
  const text = textOfOutput(await call(readTool, { path: 'a.txt', offset: 4, limit: 3 }))
  expect(text).toBe('line 4\nline 5\nline 6\n\n[lines 4 to 6; there is more: offset 7]')
  expect(textOfOutput(await call(readTool, { path: 'a.txt', offset: 10 }))).toBe('line 10')
})

test.each([
  ['one\ntwo\n', 2],
  ['one\ntwo', 2],
  ['', 0],
])('behind the end of %j it is said how many lines there are', async (content, lines) => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), content)
  const output = await call(readTool, { path: 'a.txt', offset: 9 })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toBe(`a.txt has ${lines} lines: none at offset 9.`)
})

test('an empty file is no error', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), '')
  expect(await call(readTool, { path: 'a.txt' })).toMatchObject({ content: [{ text: '[an empty file]' }] })
})

test('no more than 2,000 lines and 50 KB go to the model, and whole pages give all of it', async () => {
  const { cwd, call } = await openBench()
  const lines = Array.from({ length: 9000 }, (_, i) => `${i} ${'x'.repeat(i % 60)}`)
  writeFileSync(join(cwd, 'a.txt'), lines.join('\n'))
  const read: string[] = []
  for (let offset = 1, pages = 0; pages < 50; pages++) {
    const output = await call(readTool, { path: 'a.txt', offset })
    const text = textOfOutput(output)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024)
    expect(text.split('\n').length).toBeLessThanOrEqual(2000)
    const { lineCount, isCut } = output.details as { lineCount: number; isCut: boolean }
    read.push(...text.split('\n').slice(0, lineCount))
    offset += lineCount
    if (!isCut) break
  }
  expect(read).toEqual(lines)
})

test('of a line that is too long the beginning is shown, and no half character', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), `x${'ä'.repeat(1_000_000)}\nnext\n`)
  const text = textOfOutput(await call(readTool, { path: 'a.txt' }))
  expect(text).toMatch(/^xä+\n\[line 1 is longer/)
  expect(text).not.toContain('\ufffd')
  expect(textOfOutput(await call(readTool, { path: 'a.txt', offset: 2 }))).toBe('next\n')
})

test.runIf(process.platform === 'linux')('of a sparse file of 1 GB only what leads to the lines is read', async () => {
  const { cwd, call } = await openBench()
  const path = join(cwd, 'large.log')
  writeFileSync(path, Array.from({ length: 30_000 }, (_, i) => `line ${i + 1}\n`).join(''))
  truncateSync(path, 1024 ** 3)
  const before = bytesRead()
  const memory = process.memoryUsage().arrayBuffers
  const output = await call(readTool, { path: 'large.log', offset: 29_990, limit: 3 })
  expect(textOfOutput(output)).toMatch(/^line 29990\nline 29991\nline 29992\n/)
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(20 * 1024 ** 2)
  expect(bytesRead() - before).toBeLessThan(2 * 1024 ** 2)
  // Beyond the text there are zeros, and those are met at once.
  const startedAt = performance.now()
  expect(textOfOutput(await call(readTool, { path: 'large.log', offset: 40_000 }))).toContain('is binary')
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

test.each([
  ['image/png', PNG],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1])],
  ['image/gif', Buffer.from('GIF89a\x01\0')],
  ['image/webp', Buffer.from('RIFF\x08\0\0\0WEBPVP8 ')],
])('%s is told by its content and given as an image', async (mimeType, bytes) => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'picture.txt'), bytes)
  const { content } = await call(readTool, { path: 'picture.txt' })
  expect(content[1]).toEqual({ type: 'image', mimeType, data: bytes.toString('base64') })
})

test('an image over 5 MB is refused, with its size', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.png'), PNG)
  truncateSync(join(cwd, 'a.png'), 5 * 1024 * 1024 + 1)
  const output = await call(readTool, { path: 'a.png' })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toContain('5242881 bytes')
})

test('what is not UTF-8 is shown with a word about it, what has NULs is refused', async () => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'latin.txt'), Buffer.from('gr\xfc\xdfe\n', 'latin1'))
  expect(textOfOutput(await call(readTool, { path: 'latin.txt' }))).toContain('not all of it is UTF-8')
  writeFileSync(join(cwd, 'a.bin'), Buffer.from([1, 0, 2]))
  const output = await call(readTool, { path: 'a.bin' })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toMatch(/a\.bin is binary \(3 bytes\)/)
})

test.each([
  ['missing.txt', 'missing.txt does not exist.'],
  ['a.txt/below', 'a.txt/below is below something that is no folder.'],
  ['folder', 'folder is a folder. Use ls.'],
  ['pipe', 'pipe is no regular file and cannot be read.'],
  ['/dev/zero', '/dev/zero is no regular file and cannot be read.'],
  ['ring', 'ring leads through too many links.'],
  ['a\0b', '"a\\u0000b" cannot be the path of a file.'],
  ['\ud800', '"\\ud800" cannot be the path of a file.'],
  ['x'.repeat(300), `${'x'.repeat(300)} has too long a name.`],
  ['\u001b[31mred\u202e', '⟨U+001B⟩[31mred⟨U+202E⟩ does not exist.'],
])('%j is refused in words', async (path, words) => {
  const { cwd, call } = await openBench()
  writeFileSync(join(cwd, 'a.txt'), 'x')
  mkdirSync(join(cwd, 'folder'))
  symlinkSync('ring', join(cwd, 'ring'))
  execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd })
  const output = await call(readTool, { path })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toBe(words)
})

test.runIf(process.platform === 'linux')('a file of the system that claims to be empty is read', async () => {
  const { call } = await openBench()
  expect(textOfOutput(await call(readTool, { path: '/proc/self/status' }))).toMatch(/^Name:/)
})

test('a long output is read by its reference if this conversation keeps it, on whichever branch', async () => {
  const { session, store, call } = await openBench()
  const ref = await session.putBlob(Buffer.from('one\ntwo\nthree\n'))
  const missing = await call(readTool, { path: ref })
  expect(missing.isError).toBe(true)
  expect(textOfOutput(missing)).toBe(`This conversation keeps nothing as ${ref}.`)
  const message = { role: 'toolResult', toolCallId: 'x', toolName: 'bash', content: [], isError: false }
  await session.append({ type: 'message', message: { ...message, details: { fullOutput: ref } } })
  expect(textOfOutput(await call(readTool, { path: ref, offset: 2, limit: 1 }))).toContain('two\n')
  await session.resetLeaf()
  await session.append({ type: 'message', message: { role: 'user', content: 'elsewhere' } })
  expect(textOfOutput(await call(readTool, { path: ref }))).toContain('three')
  const other = await store.create({})
  expect(textOfOutput(await call(readTool, { path: ref }, { session: other, tipId: null }))).toContain('keeps nothing')
})

test('the output of a !! command is not read by its reference', async () => {
  const { session, call } = await openBench()
  const ref = await session.putBlob(Buffer.from('secret'))
  const message = { role: 'bashExecution', command: 'x', output: '', cancelled: false, truncated: true }
  await session.append({ type: 'message', message: { ...message, fullOutputPath: ref, excludeFromContext: true } })
  expect(textOfOutput(await call(readTool, { path: ref }))).toContain('keeps nothing')
})

test('K3 something like a reference is only ever the name of a file', async () => {
  const { call } = await openBench()
  const path: BlobRef = 'blob:sha256:../../etc/passwd'
  expect(textOfOutput(await call(readTool, { path }))).toContain('does not exist')
})
