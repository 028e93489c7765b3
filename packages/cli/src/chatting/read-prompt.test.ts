import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../context.ts'
import { createOutput } from '../output/output.ts'
import { builtProgram } from '../testing/built-program.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { readPrompt } from './read-prompt.ts'

const WAIT_MS = 30
const LATER_MS = 3 * WAIT_MS

/** A prompt from a standard input that the test writes to, and what was noted. */
function prompted(words: readonly string[]) {
  const stdin = new PassThrough()
  const noted: string[] = []
  const screen = { write: (said: string) => noted.push(said) }
  const signal = new AbortController().signal
  const out = createOutput({ stdout: screen, stderr: screen, env: {}, isJson: false, colour: false })
  const context = createContext({
    out,
    homeDir: undefined,
    env: {},
    cwd: '/',
    signal,
    stdin: () => stdin,
    stderr: screen,
  })
  return { stdin, prompt: readPrompt(context, words, WAIT_MS), noted }
}

describe('standard input behind a prompt', () => {
  test('that is open and silent is left out after a moment, which is said, and keeps no process alive', async () => {
    const cwd = tempFolder()
    const env = { PATH: process.env.PATH, HOME: cwd, TREELINE_HOME: join(cwd, 'home'), TREELINE_DEMO_DELAY_MS: '0' }
    const child = spawn(process.execPath, [await builtProgram(), '-p', '--no-session', 'Hello there'], { cwd, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toContain('“Hello there”')
    expect(stderr).toContain('Nothing came by standard input within 3 s')
    expect(await exit).toBe(0)
  })

  test('that has begun is read to its end, however long that takes', async () => {
    const { stdin, prompt, noted } = prompted(['Review', 'this'])
    stdin.write('a diff ')
    setTimeout(() => stdin.end('of two parts'), LATER_MS)
    expect(await prompt).toBe('Review this\n\na diff of two parts')
    expect(noted).toEqual([])
  })

  test('that is empty is no part of it', async () => {
    const { stdin, prompt, noted } = prompted(['Review this'])
    stdin.end()
    expect(await prompt).toBe('Review this')
    expect(noted).toEqual([])
  })

  test('is waited for with a -, however late it begins', async () => {
    const { stdin, prompt, noted } = prompted(['Review this', '-'])
    setTimeout(() => stdin.end('a late diff'), LATER_MS)
    expect(await prompt).toBe('Review this\n\na late diff')
    expect(noted).toEqual([])
  })

  test('is waited for where there is no other prompt, and without either there is none', async () => {
    const late = prompted([])
    setTimeout(() => late.stdin.end('only this'), LATER_MS)
    expect(await late.prompt).toBe('only this')
    const none = prompted([])
    none.stdin.end()
    await expect(none.prompt).rejects.toMatchObject({ code: 'bad_request' })
  })
})
