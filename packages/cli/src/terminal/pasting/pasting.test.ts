import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { recordingChat } from '../commands/testing/recording-chat.ts'
import { pasteInto } from './paste.ts'
import { readClipboard } from './read-clipboard.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** A folder for PATH with a program in it, which is a script. */
function machineWith(name: string, script: string): string {
  const folder = tempFolder()
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

describe('the clipboard', () => {
  const image = `printf '\\211PNG\\r\\n\\032\\n'`

  test('an image of Wayland', async () => {
    const types = 'if [ "$1" = --list-types ]; then echo text/plain; echo image/png; exit; fi'
    const PATH = machineWith('wl-paste', `${types}\n[ "$3" = image/png ] && ${image}`)
    const found = await readClipboard({ PATH, WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, 'linux')
    expect(found).toEqual({ type: 'image', bytes: PNG.subarray(0, 8) })
  })

  test('an image of X11, and text where there is none', async () => {
    const xclip = (types: string) =>
      `case "$*" in *TARGETS*) echo ${types};; *image/png*) ${image};; *) echo words;; esac`
    const env = { DISPLAY: ':0' }
    expect(
      await readClipboard({ ...env, PATH: machineWith('xclip', xclip('TARGETS image/png')) }, 'linux'),
    ).toMatchObject({ type: 'image' })
    expect(await readClipboard({ ...env, PATH: machineWith('xclip', xclip('TARGETS STRING')) }, 'linux')).toEqual({
      type: 'text',
      text: 'words\n',
    })
  })

  test('an image of macOS, without a program for it', async () => {
    const PATH = machineWith('osascript', `echo '«data PNGf${PNG.toString('hex').toUpperCase()}»'`)
    expect(await readClipboard({ PATH }, 'darwin')).toEqual({ type: 'image', bytes: PNG })
  })

  test('an image of Windows', async () => {
    const PATH = machineWith('powershell.exe', `printf %s ${PNG.toString('base64')}`)
    expect(await readClipboard({ PATH }, 'win32')).toEqual({ type: 'image', bytes: PNG })
  })

  test('what is missing is named', async () => {
    const PATH = tempFolder()
    expect(await readClipboard({ PATH, WAYLAND_DISPLAY: 'w' }, 'linux')).toEqual({
      type: 'missing',
      tool: 'wl-clipboard',
    })
    expect(await readClipboard({ PATH, DISPLAY: ':0' }, 'linux')).toEqual({ type: 'missing', tool: 'xclip' })
    expect(await readClipboard({ PATH }, 'linux')).toEqual({ type: 'none' })
    const failing = machineWith('wl-paste', 'exit 1')
    expect(await readClipboard({ PATH: failing, WAYLAND_DISPLAY: 'w' }, 'linux')).toEqual({ type: 'empty' })
  })
})

describe('a file that is dropped', () => {
  test.each<[string, (path: string) => string]>([
    ['as it is', (path) => path],
    ['in quotes', (path) => `'${path}'`],
    ['with escaped blanks', (path) => path.replaceAll(' ', '\\ ')],
    ['as an address', (path) => pathToFileURL(path).href],
    ['with a blank behind it', (path) => `"${path}" `],
  ])('an image comes in: %s', async (how, write) => {
    const { session } = await recordingChat()
    const folder = tempFolder()
    const path = join(folder, how === 'as it is' ? 'picture.png' : 'a picture.png')
    writeFileSync(path, PNG)
    expect(await pasteInto(session, write(path), folder)).toBe('[Image #1]')
  })

  test('anything else is text', async () => {
    const { session } = await recordingChat()
    const folder = tempFolder()
    writeFileSync(join(folder, 'fake.png'), 'no image')
    writeFileSync(join(folder, 'notes.txt'), 'text')
    const texts = ['fake.png', 'missing.png', 'notes.txt', 'look at my.png', 'file://far/x.png', 'a.png\nb.png', folder]
    for (const text of texts) expect(await pasteInto(session, text, folder)).toBe(text)
  })
})
