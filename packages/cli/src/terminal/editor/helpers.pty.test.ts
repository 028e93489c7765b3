import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { all, inEditor, isIdle, project, readKept, say, served } from '../../testing/chat-terminal.ts'
import { tempFolder } from '../../testing/run-treeline.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** A folder for PATH with a script in it. */
function scripted(name: string, script: string): { readonly folder: string; readonly path: string } {
  const folder = tempFolder()
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { folder, path }
}

describe('the user’s own editor', () => {
  test.each([['Ctrl+G', ['ctrl+g']] as const, ['Ctrl+X Ctrl+E', ['ctrl+x', 'ctrl+e']] as const])(
    '%s hands the text over and takes it back',
    async (_, keys) => {
      const { path } = scripted('my-editor', 'printf "I am an editor\\n"; printf " and\\nmore\\n" >> "$2"')
      const { open, home } = project()
      const terminal = await open([], { env: { EDITOR: `${path} --wait` } })
      await terminal.type('Some text')
      await terminal.press(...keys)
      await terminal.waitFor((screen) => /^Some text and\n *more$/.test(inEditor(screen)))
      expect(terminal.output).toContain('I am an editor')
      await terminal.type('!')
      await terminal.press('enter')
      await terminal.waitFor('You said')
      await terminal.waitFor(isIdle)
      expect((await readKept(home)).text).toContain('Some text and\\nmore!')
    },
  )

  test('one that fails leaves the text as it was, says so, and the chat goes on', async () => {
    const { path, folder } = scripted('my-editor', 'echo "$1" > "$(dirname "$0")/path"; echo changed > "$1"; exit 4')
    const { open } = project()
    const terminal = await open([], { env: { VISUAL: path, EDITOR: 'never' } })
    await terminal.type('Keep me')
    await terminal.press('ctrl+g')
    await terminal.waitFor('ended with 4')
    await terminal.waitFor((screen) => inEditor(screen) === 'Keep me')
    expect(existsSync(readFileSync(join(folder, 'path'), 'utf8').trim())).toBe(false)
    await terminal.press('enter')
    await terminal.waitFor('You said: “Keep me”')
  })

  test('takes keys while it is open, and Ctrl+C there is not for us', async () => {
    const script = 'trap "echo interrupted" INT; echo ready; read line || read line; printf "%s" "$line" > "$1"'
    const { path } = scripted('my-editor', script)
    const { open } = project()
    const terminal = await open([], { env: { EDITOR: path } })
    await terminal.press('ctrl+g')
    await terminal.waitFor('ready')
    await terminal.press('ctrl+c')
    await terminal.waitFor('interrupted')
    await terminal.type('from the editor\r')
    await terminal.waitFor((screen) => inEditor(screen) === 'from the editor')
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
  })
})

describe('images', () => {
  test('Ctrl+V takes one from the clipboard, and the model gets it', async () => {
    const image = `printf '${[...PNG].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`
    const { folder } = scripted('wl-paste', `[ "$1" = --list-types ] && echo image/png || ${image}`)
    const { open, home } = project()
    const terminal = await open([], { env: { PATH: `${folder}:${process.env.PATH}`, WAYLAND_DISPLAY: 'wayland-0' } })
    await terminal.press('ctrl+v')
    await terminal.waitFor((screen) => inEditor(screen) === '[Image #1]')
    await terminal.type(' what is it?')
    await terminal.press('enter')
    await terminal.waitFor('What I was given')
    await terminal.waitFor(isIdle)
    const { entries } = await readKept(home)
    expect(entries.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({
        content: [
          { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
          { type: 'text', text: ' what is it?' },
        ],
      }),
    )
  })

  test('what is missing to do so is said; text comes as text', async () => {
    const { open } = project()
    const { folder } = scripted('xclip', 'case "$*" in *TARGETS*) echo STRING;; *) printf copied;; esac')
    const bare = await open([], { env: { PATH: tempFolder(), DISPLAY: ':9' } })
    await bare.press('ctrl+v')
    await bare.waitFor('install xclip')
    const terminal = await open([], { env: { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':9' } })
    await terminal.press('ctrl+v')
    await terminal.waitFor((screen) => inEditor(screen) === 'copied')
  })

  test('a file that is dropped on the terminal becomes an image', async () => {
    const { open, cwd } = project()
    writeFileSync(join(cwd, 'a picture.png'), PNG)
    const terminal = await open()
    await terminal.paste(`${cwd}/a\\ picture.png `)
    await terminal.waitFor((screen) => inEditor(screen) === '[Image #1]')
  })
})

describe('prompts that wait', () => {
  test('are sent with what was pasted in its place and the files they name', async () => {
    const { open, cwd, home, server } = await served([{ text: 'Done.' }])
    writeFileSync(join(cwd, 'note.txt'), 'remember the milk\n')
    const held = Promise.withResolvers<void>()
    server.reply({ text: 'Working on it', fault: { type: 'slow', gate: () => held.promise } })
    const terminal = await open()
    await say(terminal, 'first')
    await terminal.waitFor('Esc cancels')
    await terminal.paste(Array.from({ length: 60 }, (_, i) => `pasted ${i}`).join('\n'))
    await terminal.waitFor((screen) => inEditor(screen).startsWith('[Pasted text #1'))
    await terminal.type(' and @note.txt')
    await terminal.press('enter')
    await terminal.waitFor(/waiting.*Pasted text/)
    held.resolve()
    await terminal.waitFor('Done.')
    await terminal.waitFor(isIdle)
    const { text } = await readKept(home)
    expect(text).toContain('pasted 59')
    expect(text).toContain('remember the milk')
    expect(text).not.toContain('[Pasted text #1 +59 lines]"')
    expect(all(terminal)).toContain('+ note.txt (1 line)')
  })
})
