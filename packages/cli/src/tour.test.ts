import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

async function tour(...args: string[]) {
  // Colours forced on by the environment must not reach a pipe.
  const env = { ...process.env, FORCE_COLOR: '1' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'tour.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { stdout, stderr, code }
}

/** The text under each heading. */
function stepsOf(stdout: string): string[] {
  return stdout.split(/^── /m).slice(1)
}

test('the tour runs through without a terminal and shows what it tells', async () => {
  const { stdout, stderr, code } = await tour()
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const [first, branch, leaf, muted, grafted, undone, log, end] = stepsOf(stdout)
  expect(first).toMatch(/● user .*\n.*● assistant .*\n.*● user .*\n.*● assistant {2}\(leaf\)/)
  expect(branch).toMatch(/├─○ user {7}The sea.*\n {2}│ ○ assistant.*\n {2}● user {7}The mountains/)
  expect(leaf).toMatch(/├─○ user {7}The mountains/)
  expect(leaf).toMatch(/\n {2},"crc":"[0-9a-f]{8}"}\n/)
  expect(muted).toMatch(/out: muted {2}user {7}Do gulls bite\?/)
  expect(muted).toMatch(/Sent: 6 messages/)
  expect(grafted).toMatch(/in the stash: .*\(2 nodes\)/)
  expect(grafted).toMatch(/Leave no trace\.\n {2}● user {7}What do we pack\?\n {2}● assistant {2}\(leaf\)/)
  expect(undone).toMatch(/Line 18 of the log undoes line 17/)
  expect(undone).toMatch(/\(leaf\) For one night.*\n\n {2}in the stash:/)
  expect(log).toMatch(/18 {2}lines, \d+ bytes, 0 damaged\n.*18 {2}checksums hold\n.*yes {2}the same tree/)
  expect(log).toMatch(/line 11: crc_mismatch/)
  for (const [path] of end!.matchAll(/^ {2}(?<path>[\w./-]+)(?= {2,}\w)/gm)) {
    expect(existsSync(join(ROOT, path.trim())), path).toBe(true)
  }
})

test('K4 no line is wider than 80 columns, none has a control character, each step fits on a screen of 24, --help helps', async () => {
  const [{ stdout }, help, fast] = await Promise.all([tour('--no-pause'), tour('--help'), tour('--fast')])
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--no-pause') })
  expect(fast).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--fast') })
  for (const line of stdout.split('\n')) {
    expect([...line].length).toBeLessThanOrEqual(80)
    expect(/\p{Cc}/u.test(line)).toBe(false)
  }
  // Heading to hint: two lines are for the hint and the blank line above it.
  for (const step of stepsOf(stdout)) expect(step.trimEnd().split('\n').length).toBeLessThanOrEqual(22)
})

test('a reader who leaves early is no error', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'tour.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  expect([await text(child.stderr), await exit]).toEqual(['', 0])
})
