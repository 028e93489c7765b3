import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { osc52 } from './osc52.ts'
import { clipboardTools } from './tools.ts'
import { writeClipboard } from './write-clipboard.ts'

/** Programs of these names on the PATH that write down what they get, and how they end. */
function withTools(tools: Readonly<Record<string, number>>) {
  const bin = tempFolder()
  for (const [name, code] of Object.entries(tools)) {
    writeFileSync(join(bin, name), `#!/bin/sh\ncat > "${bin}/$(basename "$0").got"\nexit ${code}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const sent: string[] = []
  const copy = (text: string, env: Readonly<Record<string, string>>) =>
    writeClipboard(text, {
      env: { PATH: `${bin}:${process.env.PATH}`, ...env },
      platform: 'linux',
      write: (sequence) => sent.push(sequence),
    })
  return { copy, sent, got: (name: string) => readFileSync(join(bin, `${name}.got`), 'utf8') }
}

const TEXT = 'tea — 東京\n\u001b[31m'
const BASE64 = Buffer.from(TEXT).toString('base64')

test('the tool of the display gets the text, and the terminal is left alone', async () => {
  const { copy, sent, got } = withTools({ xclip: 0 })
  expect(await copy(TEXT, { DISPLAY: ':0' })).toBe('tool')
  expect(got('xclip')).toBe(TEXT)
  expect(sent).toEqual([])
})

test('where one fails the next is tried', async () => {
  const { copy, got } = withTools({ 'wl-copy': 1, xclip: 1, xsel: 0 })
  expect(await copy(TEXT, { DISPLAY: ':0', WAYLAND_DISPLAY: 'w' })).toBe('tool')
  expect(got('xsel')).toBe(TEXT)
})

test('without a tool, and over ssh in any case, the terminal is told', async () => {
  const { copy, sent } = withTools({ xclip: 0 })
  expect(await copy(TEXT, {})).toBe('terminal')
  expect(await copy(TEXT, { DISPLAY: ':0', SSH_CONNECTION: 'a b' })).toBe('terminal')
  expect(sent).toEqual([`\u001b]52;c;${BASE64}\u0007`, `\u001b]52;c;${BASE64}\u0007`])
})

test('what is too long for a terminal is not sent in part', async () => {
  const { copy, sent } = withTools({ xclip: 0 })
  expect(await copy('x'.repeat(100_000), {})).toBe('too_long')
  expect(sent).toEqual([])
  expect(await copy('x'.repeat(100_000), { DISPLAY: ':0' })).toBe('tool')
})

test('a large text that a tool does not read is no error', async () => {
  const { copy } = withTools({})
  expect(await copy('x'.repeat(5_000_000), { DISPLAY: ':0' })).toBe('too_long')
})

test('tmux and screen are asked to pass it on', () => {
  expect(osc52(TEXT, { TMUX: '/tmp/x,1,0' })).toBe(`\u001bPtmux;\u001b\u001b]52;c;${BASE64}\u0007\u001b\\`)
  const pieces = osc52('x'.repeat(1_000), { STY: '1.a' })!.split('\u001b\\').slice(0, -1)
  expect(pieces.length).toBeGreaterThan(4)
  expect(pieces.every((piece) => piece.startsWith('\u001bP'))).toBe(true)
  expect(pieces.map((piece) => piece.slice(2)).join('')).toBe(osc52('x'.repeat(1_000), {}))
})

test('each system has its tools', () => {
  const names = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform) =>
    clipboardTools(env, platform).map(({ file }) => file)
  expect(names({}, 'darwin')).toEqual(['pbcopy'])
  expect(names({}, 'win32')).toEqual(['clip.exe'])
  expect(names({ WSL_DISTRO_NAME: 'Ubuntu' }, 'linux')).toEqual(['clip.exe'])
  expect(names({ TMUX: '/tmp/x,1,0', DISPLAY: ':0' }, 'linux')).toEqual(['xclip', 'xsel', 'tmux'])
  expect(names({}, 'linux')).toEqual([])
})
