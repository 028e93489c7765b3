import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobRef } from '@treeline/store'
import { afterAll, expect, test } from 'vitest'
import { isAlive } from '../testing/is-alive.ts'
import { openBench, textOfOutput } from '../testing/tool-bench.ts'
import { createBashTool } from './bash.ts'

const bash = createBashTool(60_000)

/** Whatever a test leaves running is ended here, by its own number. */
const started = new Set<number>()
afterAll(() => {
  for (const id of started) if (isAlive(id)) process.kill(id, 'SIGKILL')
})

function idIn(path: string): number {
  const id = Number(readFileSync(path, 'utf8'))
  started.add(id)
  return id
}

/** Resolves when the command has shown this. */
function untilShown(wanted: string) {
  let resolve = (): void => {}
  const shown = new Promise<void>((done) => {
    resolve = done
  })
  let all = ''
  return {
    shown,
    onOutput(text: string) {
      all += text
      if (all.includes(wanted)) resolve()
    },
  }
}

test('both outputs come in the order they were written, and are shown while it runs', async () => {
  const { call, shown } = await openBench()
  const command = 'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done'
  const output = await call(bash, { command })
  const expected = [1, 2, 3, 4, 5].flatMap((i) => [`out ${i}`, `err ${i}`]).join('\n')
  expect(textOfOutput(output)).toBe(`${expected}\n`)
  expect(output).toMatchObject({ isError: false, details: { exitCode: 0 } })
  expect(shown.join('')).toBe(`${expected}\n`)
})

test('it runs in the project folder, without input and without a terminal', async () => {
  const { call, cwd } = await openBench()
  const command = 'pwd; cat; [ -t 1 ] || echo none; (: </dev/tty) 2>/dev/null || echo no tty; echo $0'
  expect(textOfOutput(await call(bash, { command }))).toBe(`${cwd}\nnone\nno tty\n/bin/bash\n`)
})

test.each([
  ['exit 3', '[no output]\n[exit code 3]', { exitCode: 3 }],
  ['echo x; kill -9 $$', 'x\n\n[ended by SIGKILL]', { signal: 'SIGKILL' }],
  ['nosuchcommand', '/bin/bash: line 1: nosuchcommand: command not found\n\n[exit code 127]', { exitCode: 127 }],
  ['true', '[no output]', { exitCode: 0 }],
])('%s ends as it ends', async (command, text, details) => {
  const { call } = await openBench()
  const output = await call(bash, { command })
  expect(textOfOutput(output)).toBe(text)
  expect(output.details).toMatchObject(details)
  expect(output.isError).toBe(command !== 'true')
})

test('a command that takes too long is ended with all it started, also what refuses to end', async () => {
  const { call, cwd } = await openBench()
  // The grandchild ignores the polite signal; the shell waits for it.
  const command = `bash -c 'trap "" TERM; echo $$ > child; echo before; while :; do sleep 0.05; done' & wait`
  const output = await call(bash, { command, timeoutSeconds: 1 })
  expect(textOfOutput(output)).toBe('before\n\n[ended after 1 seconds: it took too long]')
  expect(output).toMatchObject({ isError: true, details: { timedOut: true } })
  expect(isAlive(idIn(join(cwd, 'child')))).toBe(false)
})

test('the default timeout is the one of the settings', async () => {
  const { call } = await openBench()
  const output = await call(createBashTool(300), { command: 'echo a; sleep 20' })
  expect(textOfOutput(output)).toBe('a\n\n[ended after 0.3 seconds: it took too long]')
})

test('a command that is cancelled keeps what came and ends with all it started', async () => {
  const { call, cwd } = await openBench()
  const { shown, onOutput } = untilShown('ready')
  const cancel = new AbortController()
  const running = call(
    bash,
    { command: 'sleep 300 & echo $! > child; echo ready; wait' },
    { signal: cancel.signal, onOutput },
  )
  await shown
  cancel.abort()
  const output = await running
  expect(textOfOutput(output)).toBe('ready\n\n[cancelled by the user]')
  expect(output.details).toMatchObject({ cancelled: true })
  expect(isAlive(idIn(join(cwd, 'child')))).toBe(false)
})

test('what was cancelled before it began does not run', async () => {
  const { call, cwd } = await openBench()
  const output = await call(bash, { command: 'touch ran' }, { signal: AbortSignal.abort() })
  expect(textOfOutput(output)).toContain('Cancelled')
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

test('something left in the background holds nobody up and goes on, though it writes', async () => {
  const { call, cwd } = await openBench()
  const startedAt = performance.now()
  const command = '(while :; do echo noise; sleep 0.02; done) & echo $! > child; echo done'
  const output = await call(bash, { command })
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(textOfOutput(output)).toMatch(/^(noise\n)*done\n(noise\n)*\n\[something it started is still running/)
  expect(output).toMatchObject({ isError: false, details: { exitCode: 0, leftRunning: true } })
  const child = idIn(join(cwd, 'child'))
  // Nobody reads any more, and its next writes do not end it.
  await call(bash, { command: 'sleep 0.1' })
  expect(isAlive(child)).toBe(true)
})

test('a silent process in the background is noticed at once', async () => {
  const { call, cwd } = await openBench()
  const startedAt = performance.now()
  const output = await call(bash, { command: 'sleep 300 & echo $! > child; echo done' })
  expect(performance.now() - startedAt).toBeLessThan(2000)
  expect(textOfOutput(output)).toContain('done\n')
  expect(isAlive(idIn(join(cwd, 'child')))).toBe(true)
})

test('200 MB of output take little memory; head and tail are kept, and it is said what is not', async () => {
  const { call, session, shown } = await openBench()
  const before = process.memoryUsage().rss
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const command = `echo first; yes ${'x'.repeat(99)} | head -c 200000000; echo; echo last`
  const output = await call(bash, { command }).finally(() => clearInterval(watch))
  expect(most - before).toBeLessThan(150 * 1024 ** 2)
  const text = textOfOutput(output)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024)
  expect(text).toMatch(/^first\nx+\n/)
  expect(text).toMatch(/\nlast\n$/)
  expect(text).toContain('were too many to keep')
  const { fullOutput, totalBytes } = output.details as { fullOutput: BlobRef; totalBytes: number }
  expect(totalBytes).toBeGreaterThan(200_000_000)
  const blob = Buffer.from((await session.readBlob(fullOutput))!)
  expect(blob.length).toBeLessThan(17 * 1024 ** 2)
  expect(blob.subarray(0, 8).toString()).toBe('first\nxx')
  expect(blob.subarray(-5).toString()).toBe('last\n')
  // What was shown while it ran is a part of it: nobody can watch 200 MB.
  expect(shown.join('').length).toBeLessThan(20_000_000)
})

test('long output is kept whole for read', async () => {
  const { call, session } = await openBench()
  const output = await call(bash, { command: 'seq 1 100000' })
  const text = textOfOutput(output)
  expect(text).toMatch(/^1\n2\n3\n/)
  expect(text).toMatch(/\n99999\n100000\n$/)
  expect(text.split('\n').length).toBeLessThanOrEqual(2001)
  const { fullOutput, totalBytes } = output.details as { fullOutput: BlobRef; totalBytes: number }
  expect(text).toContain(`all of it is kept: read ${fullOutput}`)
  const blob = Buffer.from((await session.readBlob(fullOutput))!)
  expect(blob.length).toBe(totalBytes)
  expect(blob.toString()).toBe(`${Array.from({ length: 100_000 }, (_, i) => i + 1).join('\n')}\n`)
})

test('binary output is described and its bytes are kept', async () => {
  const { call, session, cwd } = await openBench()
  const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, i) => (i * 7 + (i >> 8)) % 256))
  writeFileSync(join(cwd, 'a.bin'), bytes)
  const output = await call(bash, { command: 'cat a.bin' })
  const { fullOutput } = output.details as { fullOutput: BlobRef }
  expect(textOfOutput(output)).toBe(`[binary output, 10,000 bytes; all of it is kept: read ${fullOutput}]`)
  expect(Buffer.from((await session.readBlob(fullOutput))!)).toEqual(bytes)
})

test.each([
  ['x\0y', 'NUL'],
  ['\ud800', 'half of a character'],
  ['x'.repeat(200_000), 'too long'],
])('a command no shell can be given is refused in words', async (command, words) => {
  const { call } = await openBench()
  const output = await call(bash, { command })
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toContain(words)
})

test('a folder that is gone is told of, not a shell that is missing', async () => {
  const { call } = await openBench()
  expect(textOfOutput(await call(bash, { command: 'ls' }, { cwd: '/nonexistent' }))).toContain(
    'There is no folder /nonexistent',
  )
})

test('whoever watches and fails does not stop it', async () => {
  const { call } = await openBench()
  const onOutput = (): never => {
    throw new Error('nobody is there')
  }
  expect(textOfOutput(await call(bash, { command: 'echo 1; sleep 0.2; echo 2' }, { onOutput }))).toBe('1\n2\n')
})

test('K4 the question shows all of the command and hides nothing', async () => {
  const { context } = await openBench()
  const command = `echo ${'a'.repeat(5000)}\nrm -rf x #\u202e\u001b[8m\r safe`
  expect(await bash.preview({ command }, context())).toEqual({
    title: 'bash',
    language: 'shell',
    body: `echo ${'a'.repeat(5000)}\nrm -rf x #⟨U+202E⟩⟨U+001B⟩[8m⟨U+000D⟩ safe`,
  })
})
